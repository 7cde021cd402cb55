import { createHash } from 'node:crypto';
import { areValuesAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { recordValueRead } from '@/lib/access/auth/value-reads';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { decodeKey } from '@/lib/model/keys/key-id';
import type { LiveKey } from '@/lib/model/keys/live-key';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { keyExists } from '@/lib/redis/live-key/key-exists';
import { readLazyExpire } from '@/lib/redis/server/read-lazy-expire';
import { judgeLiveKey } from '@/lib/rules/evaluate/judge-live-key';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { suggestName } from '@/lib/rules/suggest-name';
import { readNewestManifest } from '@/lib/snapshots/remote/newest-manifest';
import { withLiveSession } from './with-session';

const MAX_NAME_BYTES = 300;

/** Reads the facts of a key from the live server. `k` is base64url of its bytes. */
export const readLiveKey = verb(
  { needs: 'instance.read', on: scopeToInstance },
  (_actor: Actor, instanceId: string, k: string, db: number): Promise<LiveKey> => read(instanceId, k, db, null),
);

/**
 * The same with a bounded part of the value. It is written to the audit log, and on production it needs a reason.
 * Errors: `values_forbidden`, `reason_needed`.
 */
export const previewLiveKey = verb(
  { needs: 'value.read', on: scopeToInstance, action: 'value.preview' },
  async (
    actor: Actor,
    instanceId: string,
    { k, db, reason }: { k: string; db: number; reason: string | null },
  ): Promise<LiveKey> => {
    const key = decodeKey(k);
    const { name, exact } = cutNameForRecord(key);
    const details = { db, ...(!exact && { sha256: createHash('sha256').update(key).digest('hex') }) };
    const record = () =>
      recordValueRead(actor, { action: 'value.preview', instanceId, subject: name, reason, details });
    await record();
    return read(instanceId, k, db, {
      // Only the connection shows whether another instance has this server; the marks of that instance apply as well.
      whenConnected: async () => {
        if (!(await areValuesAllowedNow(actor, instanceId, reason))) await record();
      },
    });
  },
);

/**
 * The name for the audit row, cut to MAX_NAME_BYTES, because a name may be a megabyte. `exact` = it is the whole name.
 */
function cutNameForRecord(key: Buffer): { name: string; exact: boolean } {
  const { name } = toDisplayName(key.subarray(0, MAX_NAME_BYTES));
  const exact = key.length <= MAX_NAME_BYTES && Buffer.from(name).equals(key);
  return { name: key.length > MAX_NAME_BYTES ? `${name}…` : name, exact };
}

/** `preview` null = only the facts. `whenConnected` is called before the value is read; it may throw. */
async function read(
  instanceId: string,
  k: string,
  db: number,
  preview: { whenConnected(): Promise<void> } | null,
): Promise<LiveKey> {
  const key = decodeKey(k);
  const policy = await getEffectivePolicy(instanceId);
  const { live, ...current } = await withLiveSession(instanceId, async (session) => {
    await preview?.whenConnected();
    const live = await fetchLiveKey(session, { key, db, preview: preview !== null });
    const version = session.nodes.find(({ address }) => address === live.address)?.version ?? null;
    const [lazyfreeLazyExpire, taken] = await Promise.all([
      session.client(live.address).then((client) => readLazyExpire(client, version)),
      findTakenNames(session, policy, live),
    ]);
    return { live, lazyfreeLazyExpire, taken };
  });
  if (!live.exists) return { ...live, verdict: null };
  return { ...live, verdict: await judgeLiveKey(policy, live, key, await readNewestManifest(instanceId), current) };
}

/** Suggested names that exist, or may exist, as other keys here. */
async function findTakenNames(session: RedisSession, policy: EffectivePolicy, live: LiveKey): Promise<string[]> {
  if (!live.exists) return [];
  const suggested = policy.profiles.flatMap(({ body }) => suggestName(live.name, live.type, body) ?? []);
  const taken = [...new Set(suggested)].map(async (name) =>
    (await keyExists(session, Buffer.from(name), live.db)) === false ? [] : [name],
  );
  return (await Promise.all(taken)).flat();
}
