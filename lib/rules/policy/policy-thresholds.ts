import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';

/**
 * The bigkey thresholds of an instance: those of its base profile, for all names, so that counts of different prefixes
 * can be compared.
 */
export const getPolicyThresholds = (policy: EffectivePolicy): BigkeyThresholds =>
  getBigkeyThresholds(policy.profiles[policy.base]!.body);

/**
 * The lowest thresholds of all profiles of the policy. Facts must be known from these sizes on, so that every profile
 * can be evaluated.
 */
export function findLowestThresholds(policy: EffectivePolicy): BigkeyThresholds {
  const all = policy.profiles.map(({ body }) => getBigkeyThresholds(body));
  const findMin = (name: keyof BigkeyThresholds) => Math.min(...all.map((thresholds) => thresholds[name]));
  return {
    stringBytes: findMin('stringBytes'),
    elements: findMin('elements'),
    collectionBytes: findMin('collectionBytes'),
  };
}
