import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { bigkeyThresholds } from '@/lib/rules/bigkey-thresholds';

/**
 * What is a bigkey on an instance: as its own profile has it, for all names, so that counts of different prefixes
 * compare.
 */
export const bigkeysOf = (policy: EffectivePolicy): BigkeyThresholds =>
  bigkeyThresholds(policy.profiles[policy.base]!.body);

/** The lowest number of any profile that holds for some of its names: what must be known to judge them. */
export function lowestBigkeysOf(policy: EffectivePolicy): BigkeyThresholds {
  const all = policy.profiles.map(({ body }) => bigkeyThresholds(body));
  const min = (name: keyof BigkeyThresholds) => Math.min(...all.map((one) => one[name]));
  return {
    stringBytes: min('stringBytes'),
    elements: min('elements'),
    collectionBytes: min('collectionBytes'),
  };
}
