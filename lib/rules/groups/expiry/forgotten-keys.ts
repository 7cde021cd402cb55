import { type Found, type GroupQuestion, readNumber } from '@/lib/rules/groups/counts/group-answer';
import { countKnownFacts, idleKnownSql } from '@/lib/rules/groups/counts/known-facts';
import { findLargestIdlePrefixes } from './largest-idle-prefixes';

/** T2: prefixes with many keys that do not expire and were not accessed for days. */
export const findForgottenKeys: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(readNumber(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await countKnownFacts(source, rule, reported);
  const unknownKeys = known.idleOrExpiryUnknown;
  if (known.keys > 0 && (known.idle === 0 || known.expiry === 0)) return { groups: [], blind: true, unknownKeys };
  const idle = `${reported} AND idle_seconds >= ${BigInt(seconds)}`;
  return findLargestIdlePrefixes(source, rule, context, {
    bound: { of: 'keys', min: readNumber(rule.params, 'keys', 1000) },
    idle: `expire_at IS NULL AND expiry_known AND ${idle}`,
    possible: `(expire_at IS NULL OR NOT expiry_known) AND (NOT (${reported}) OR (${idle}))`,
    unknownKeys,
    idleSeconds: (row) => row.shortest,
  });
};
