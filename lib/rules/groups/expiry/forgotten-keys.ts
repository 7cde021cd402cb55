import { type Found, type GroupQuestion, numberOf } from '@/lib/rules/groups/counts/group-answer';
import { factsKnown, idleKnownSql } from '@/lib/rules/groups/counts/known-facts';
import { largestIdlePrefixes } from './largest-idle-prefixes';

/** T2: prefixes with many keys that do not expire and were not accessed for days. */
export const forgottenKeys: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(numberOf(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await factsKnown(source, rule, reported);
  const unknownKeys = known.idleOrExpiryUnknown;
  if (known.keys > 0 && (known.idle === 0 || known.expiry === 0)) return { groups: [], blind: true, unknownKeys };
  const idle = `${reported} AND idle_seconds >= ${BigInt(seconds)}`;
  return largestIdlePrefixes(source, rule, context, {
    bound: { of: 'keys', min: numberOf(rule.params, 'keys', 1000) },
    idle: `expire_at IS NULL AND expiry_known AND ${idle}`,
    possible: `(expire_at IS NULL OR NOT expiry_known) AND (NOT (${reported}) OR (${idle}))`,
    unknownKeys,
    idleSeconds: (row) => row.shortest,
  });
};
