import { buildRuleWhere, type Found, type GroupQuestion, readNumber } from '@/lib/rules/groups/counts/group-answer';
import { countKnownFacts, idleKnownSql } from '@/lib/rules/groups/counts/known-facts';
import { findLargestIdlePrefixes } from './largest-idle-prefixes';

/**
 * V17: memory of keys that were not accessed for days, by prefix. Under an LFU policy the server does not report idle
 * times, and the idle times of a replica do not include the reads on its master.
 */
export const findIdleBytes: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(readNumber(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await countKnownFacts(source, rule, reported);
  if (known.keys > 0 && known.idle === 0) return { groups: [], blind: true, unknownKeys: known.keys };
  const idle = `${reported} AND idle_seconds >= ${BigInt(seconds)}`;
  const where = buildRuleWhere(rule).and(idle);
  // Count idle keys whose memory is unknown, because the memory reported for the others may be too little.
  const [unmeasured] = await source.query<{ n: number }>(
    `SELECT count(*) - count(bytes) AS n FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const unknownKeys = known.keys - known.idle + (unmeasured?.n ?? 0);
  return findLargestIdlePrefixes(source, rule, context, {
    bound: { of: 'bytes', min: readNumber(rule.params, 'bytes', 1_048_576) },
    idle,
    possible: `(NOT (${reported}) OR (${idle}))`,
    unknownKeys,
    idleSeconds: (row) => row.sum / row.keys,
  });
};
