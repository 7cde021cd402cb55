import { listReplicaNodes } from '@/lib/snapshots/folder/replica-nodes';
import type { Source } from '@/lib/snapshots/query/with-source';
import { buildRuleWhere, type GroupRule } from './group-answer';

/** Numbers of keys: all, and those of which a fact is known. */
interface KnownFacts {
  keys: number;
  idle: number;
  freq: number;
  expiry: number;
  bytes: number;
  /** Keys that may be among the idle keys without expiry: expiry unknown, or no expiry and idle time unknown. */
  idleOrExpiryUnknown: number;
}

/**
 * SQL that is true if it is known whether a key was idle for `seconds`. A replica does not see the reads that its
 * master serves. So a short idle time there shows that the key was accessed, but a long one shows nothing.
 */
export function idleKnownSql(source: Source, seconds: number): string {
  const replicas = listReplicaNodes(source.manifest);
  if (replicas.length === 0) return 'idle_seconds IS NOT NULL';
  return `coalesce(node NOT IN (${replicas.join(', ')}) AND idle_seconds IS NOT NULL OR idle_seconds < ${BigInt(seconds)}, false)`;
}

/**
 * Counts the keys for which the facts are known that group rules need. `idleKnown` is SQL that is true if the idle time
 * of a key is known.
 */
export async function countKnownFacts(
  source: Source,
  rule: GroupRule,
  idleKnown = 'idle_seconds IS NOT NULL',
): Promise<KnownFacts> {
  const where = buildRuleWhere(rule);
  const [row] = await source.query<KnownFacts & Record<string, unknown>>(
    `SELECT count(*) AS keys, count(*) FILTER (${idleKnown}) AS idle, count(freq) AS freq, count(*) FILTER (expiry_known) AS expiry,
       count(bytes) AS bytes, count(*) FILTER (NOT expiry_known OR (expire_at IS NULL AND NOT ${idleKnown})) AS idleOrExpiryUnknown
     FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return row!;
}
