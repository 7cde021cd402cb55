import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { RuleFinding, StrengthTotals } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';

/** Number of keys, and the sum of their known bytes. */
export interface CountedKeys {
  keys: number;
  bytes: number;
}

/**
 * Combines, for one strength, the keys that violate a key rule and those in groups that violate a group rule. Groups
 * are reported as sums, so it is unknown which of their keys violate a key rule too. The result is therefore the larger
 * of the two numbers, and `atLeast` is true if it may be more.
 */
export function withGroupRules(
  ofKeys: CountedKeys,
  strength: Strength,
  groups: readonly RuleFinding[],
  total: CountedKeys,
): StrengthTotals {
  const violated = groups.filter((rule) => rule.strength === strength && rule.status === 'violated' && rule.keys);
  const findLargest = (of: 'keys' | 'bytes') =>
    Math.max(0, ...violated.map((rule) => Math.min(rule[of] ?? 0, total[of])));
  const keys = Math.max(ofKeys.keys, findLargest('keys'));
  const sources = violated.length + (ofKeys.keys > 0 ? 1 : 0);
  return {
    keys,
    bytes: toKnownBytes({ keys, bytes: Math.max(ofKeys.bytes, findLargest('bytes')) }),
    listed: ofKeys.keys,
    atLeast: violated.length > 0 && sources > 1 && keys < total.keys,
  };
}
