import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import { destinationPolicy } from '@/lib/credentials/destination-policy';
import { openTarget } from '@/lib/credentials/open-target';
import { checkRows } from '@/lib/findings/evaluate/check-rows';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import type { Actor } from '@/lib/model/actor';
import { decodeKey } from '@/lib/model/keys/key-id';
import type { LiveKey } from '@/lib/model/keys/live-key';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import { fetchLiveKey as readFromRedis } from '@/lib/redis/live-key/fetch-live-key';
import { readLazyExpire } from '@/lib/redis/server/lazy-expire';
import { withSession } from './with-session';

/** The key on the live server: its facts. `k` is base64url of its bytes. */
export const readLiveKey = verb(
  { needs: 'instance.read', on: ofInstance },
  (_actor: Actor, instanceId: string, k: string, db: number): Promise<LiveKey> => read(instanceId, k, db, false),
);

/** The same with a bounded part of the value. */
export const previewLiveKey = verb(
  { needs: 'value.read', on: ofInstance, action: 'key.preview' },
  (_actor: Actor, instanceId: string, k: string, db: number): Promise<LiveKey> => read(instanceId, k, db, true),
);

async function read(instanceId: string, k: string, db: number, preview: boolean): Promise<LiveKey> {
  const key = decodeKey(k);
  const { live, lazyExpire } = await withSession(await openTarget(instanceId), destinationPolicy(), async (session) => {
    const live = await readFromRedis(session, { key, db, preview });
    const version = session.nodes.find(({ address }) => address === live.address)?.version ?? null;
    return { live, lazyExpire: await readLazyExpire(await session.client(live.address), version) };
  });
  return { ...live, verdict: live.exists ? await verdictOf(instanceId, live, key, lazyExpire) : null };
}

/** The live facts against the rules. */
async function verdictOf(
  instanceId: string,
  live: LiveKey,
  key: Buffer,
  lazyfreeLazyExpire: boolean | null,
): Promise<KeyVerdict | null> {
  const now = Date.now();
  const [verdict] = await checkRows(
    await effectivePolicy(instanceId),
    [
      {
        name: live.name,
        raw: live.name === key.toString('utf8') ? null : key,
        nameBytes: live.nameBytes,
        type: live.type,
        encoding: live.encoding,
        expireAt: live.ttlMs === null ? null : now + live.ttlMs,
        expiryKnown: live.expiryKnown,
        bytes: live.bytes,
        length: live.length,
        idleSeconds: live.idleSeconds,
      },
    ],
    { asOf: now, lazyfreeLazyExpire },
  );
  return verdict ?? null;
}
