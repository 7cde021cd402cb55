import type { Source } from '@/lib/snapshots/with-source';
import { type GroupRule, whereOfRule } from './group-answer';

export interface KnownFacts {
  keys: number;
  idle: number;
  freq: number;
  expiry: number;
  bytes: number;
  idleOrExpiryUnknown: number;
}

/** For how many keys the facts are known that group rules need. */
export async function factsKnown(source: Source, rule: GroupRule): Promise<KnownFacts> {
  const where = whereOfRule(rule);
  const [row] = await source.query<KnownFacts & Record<string, unknown>>(
    `SELECT count(*) AS keys, count(idle_seconds) AS idle, count(freq) AS freq, count(*) FILTER (expiry_known) AS expiry,
       count(bytes) AS bytes, count(*) FILTER (NOT expiry_known OR (expire_at IS NULL AND idle_seconds IS NULL)) AS idleOrExpiryUnknown
     FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return row!;
}
