/**
 * Reads one key as it is now from the node that owns it: its facts and, on request, a bounded preview. It uses its own
 * channel, with bounded replies, its own database, and NO-TOUCH if the server supports it. A key that does not exist is
 * a result, not an error.
 */

import { toDisplayName } from '@/lib/model/keys/display-name';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { LiveKey } from '@/lib/model/keys/live-key';
import { openNodeChannel } from '@/lib/redis/connection/open-node-channel';
import type { RedisSession } from '@/lib/redis/connection/session';
import { getSlotMaster } from '@/lib/redis/connection/slot-master';
import { computeSlot, parseHashTag } from '@/lib/redis/keys/slot';
import { RESP_LIMITS } from '@/lib/redis/protocol/resp-reader';
import { createSlotMovedError, KeyMoved, readLiveKeyFacts } from './live-key-facts';
import { type Preview, readPreview } from './preview';

/** A reply holds at most two elements of a mebibyte (preview-steps.ts), so 4 MiB are enough. */
const LIMITS = { ...RESP_LIMITS, replyBytes: 4 * 1024 * 1024 };
/** A person waits for the answer. */
const REPLY_MS = 5000;

export async function fetchLiveKey(
  session: RedisSession,
  wanted: { key: Buffer; db: number; preview: boolean },
): Promise<LiveKey> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readOnce(session, wanted);
    } catch (error) {
      if (!(error instanceof KeyMoved)) throw error;
      if (attempt === 2) throw createSlotMovedError();
      await session.refresh();
    }
  }
}

async function readOnce(
  session: RedisSession,
  { key, db, preview: wantsPreview }: { key: Buffer; db: number; preview: boolean },
): Promise<LiveKey> {
  const slot = computeSlot(key);
  const node = getSlotMaster(session, slot, { orReplica: true });
  const channel = await openNodeChannel(session, node.address, {
    db,
    readonly: session.target.topology === 'cluster',
    // Protocol 2, so that replies have only one shape.
    protocol: '2',
    noTouch: true,
    timeouts: { replyMs: REPLY_MS },
    limits: LIMITS,
  });
  try {
    const touches = !channel.noTouch;
    const facts = await readLiveKeyFacts(channel, key, !touches || node.role === 'replica' || wantsPreview);
    const none: Preview = { preview: null, problem: null };
    const { preview, problem } = wantsPreview && facts.exists ? await readPreview(channel, key, facts) : none;
    const tag = parseHashTag(key);
    return {
      k: encodeKey(key),
      name: toDisplayName(key).name,
      nameBytes: key.length,
      db,
      address: node.address,
      slot,
      tag: tag ? toDisplayName(tag).name : null,
      ...facts,
      previewTouches: touches,
      preview,
      previewProblem: problem,
    };
  } finally {
    channel.close();
  }
}
