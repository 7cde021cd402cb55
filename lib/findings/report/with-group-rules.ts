import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { RuleFinding, StrengthTotals } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';

/** Keys, and the bytes of those whose memory is known. */
export interface CountedKeys {
  keys: number;
  bytes: number;
}

/**
 * What the headline says of one strength: keys that violate a key rule, and those of groups that violate a group rule.
 * Groups are reported as sums, so which of their keys are among the former is not known: the larger of the two is
 * certain, and `atLeast` says that it may be more.
 */
export function withGroupRules(
  ofKeys: CountedKeys,
  strength: Strength,
  groups: readonly RuleFinding[],
  total: CountedKeys,
): StrengthTotals {
  const violated = groups.filter((rule) => rule.strength === strength && rule.status === 'violated' && rule.keys);
  const largest = (of: 'keys' | 'bytes') => Math.max(0, ...violated.map((rule) => Math.min(rule[of] ?? 0, total[of])));
  const keys = Math.max(ofKeys.keys, largest('keys'));
  const sources = violated.length + (ofKeys.keys > 0 ? 1 : 0);
  return {
    keys,
    bytes: knownBytes({ keys, bytes: Math.max(ofKeys.bytes, largest('bytes')) }),
    listed: ofKeys.keys,
    atLeast: violated.length > 0 && sources > 1 && keys < total.keys,
  };
}
