import { displayName } from '@/lib/model/display-name';
import { AppError } from '@/lib/model/errors';
import { encodeKey } from '@/lib/model/key-id';
import type { LiveKey } from '@/lib/model/live-key';
import type { NodeFacts } from '@/lib/model/server-facts';
import type { RedisSession } from '@/lib/redis/connection/session';
import { hashTagOf, slotOf } from '@/lib/redis/keys/slot';
import { openChannel } from '@/lib/redis/protocol/channel';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RESP_LIMITS } from '@/lib/redis/protocol/resp-reader';
import { KeyMoved, readLiveKeyFacts } from './live-key-facts';
import { type Preview, readPreview } from './preview';

/**
 * One key as it is now, from the node that owns it: facts, and a bounded preview when asked. Runs on a channel of its
 * own: bounded replies, its own database, and NO-TOUCH where the server has it. A key that does not exist is an answer.
 */
const LIMITS = { ...RESP_LIMITS, replyBytes: Math.min(RESP_LIMITS.replyBytes, 4 * 1024 * 1024) };
const REPLY_MS = 5000;

export async function fetchLiveKey(
  session: RedisSession,
  wanted: { key: Buffer; db: number; preview: boolean },
): Promise<LiveKey> {
  try {
    return await readOnce(session, wanted);
  } catch (error) {
    if (!(error instanceof KeyMoved)) throw error;
    await session.refresh();
  }
  try {
    return await readOnce(session, wanted);
  } catch (error) {
    if (!(error instanceof KeyMoved)) throw error;
    throw new AppError('redis_error', 'The slot of this key is being moved to another node. Try again in a moment.');
  }
}

async function readOnce(
  session: RedisSession,
  { key, db, preview: wantsPreview }: { key: Buffer; db: number; preview: boolean },
): Promise<LiveKey> {
  const slot = slotOf(key);
  const node = ownerOf(session, slot);
  const channel = await openAt(session, node, db);
  try {
    const touches = !channel.noTouch;
    const facts = await readLiveKeyFacts(channel, key, !touches || node.role === 'replica' || wantsPreview);
    const none: Preview = { preview: null, problem: null };
    const { preview, problem } = wantsPreview && facts.exists ? await readPreview(channel, key, facts) : none;
    const tag = hashTagOf(key);
    return {
      k: encodeKey(key),
      name: displayName(key).name,
      nameBytes: key.length,
      db,
      address: node.address,
      slot,
      tag: tag ? displayName(tag).name : null,
      ...facts,
      previewTouches: touches,
      preview,
      previewProblem: problem,
    };
  } finally {
    channel.close();
  }
}

/** The master that serves the slot; idle times are the master's. */
function ownerOf(session: RedisSession, slot: number): NodeFacts {
  const clustered = session.target.topology === 'cluster';
  const serves = (node: NodeFacts) => node.slots.some(([from, to]) => slot >= from && slot <= to);
  const masters = session.nodes.filter((node) => node.role === 'master' && (!clustered || serves(node)));
  const node = masters.find((one) => one.healthy) ?? masters[0] ?? (clustered ? undefined : session.nodes[0]);
  if (!node) throw new AppError('redis_unreachable', `No node of the cluster serves slot ${slot}.`, { slot });
  const problem = session.problems?.get(node.address);
  if (problem) throw problem;
  return node;
}

async function openAt(session: RedisSession, node: NodeFacts, db: number): Promise<RespChannel> {
  const { target } = session;
  const socket = await session.openSocket(node.address);
  return openChannel(
    socket,
    {
      username: target.username ?? null,
      password: target.password,
      db,
      readonly: target.topology === 'cluster',
      // One shape of replies to read.
      protocol: '2',
      noTouch: true,
    },
    { replyMs: REPLY_MS },
    LIMITS,
  );
}
