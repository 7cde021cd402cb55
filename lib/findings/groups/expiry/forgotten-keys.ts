import { type Found, type GroupQuestion, numberOf, whereOfRule } from '@/lib/findings/groups/counts/group-answer';
import { factsKnown, idleKnownSql } from '@/lib/findings/groups/counts/known-facts';
import { largestIdlePrefixes } from './largest-idle-prefixes';

/** T2: prefixes with many keys that neither expire nor were touched for days. */
export const forgottenKeys: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(numberOf(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await factsKnown(source, rule, reported);
  const unknownKeys = known.idleOrExpiryUnknown;
  if (known.keys > 0 && (known.idle === 0 || known.expiry === 0)) return { groups: [], blind: true, unknownKeys };
  const where = whereOfRule(rule);
  where.and(
    `expire_at IS NULL AND expiry_known AND ${reported} AND idle_seconds >= ${where.bind(BigInt(seconds))}::BIGINT`,
  );
  const bound = { of: 'keys', min: numberOf(rule.params, 'keys', 1000) } as const;
  return { ...(await largestIdlePrefixes(source, where, context, bound, (row) => row.shortest)), unknownKeys };
};
