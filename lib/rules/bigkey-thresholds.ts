import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from './catalogue';

/**
 * What a profile calls a bigkey: the numbers of its rules where they are on (V1 strings; V3, or V5 where only that one
 * is on, elements; V2 memory), else those of the standards. So the bigkeys report, the counts in the tree and the rules
 * mean the same keys.
 */
export function bigkeyThresholds(body: ProfileBody): BigkeyThresholds {
  return {
    stringBytes: numberOf(body, 'V1', 'bytes') ?? STANDARD_THRESHOLDS.stringBytes,
    elements: numberOf(body, 'V3', 'elements') ?? numberOf(body, 'V5', 'elements') ?? STANDARD_THRESHOLDS.elements,
    collectionBytes: numberOf(body, 'V2', 'bytes') ?? STANDARD_THRESHOLDS.collectionBytes,
  };
}

function numberOf(body: ProfileBody, id: string, name: string): number | null {
  const setting = body.rules[id];
  if (!setting?.on) return null;
  const value = Math.trunc(Number(setting.params[name] ?? ruleById.get(id)!.params[name]!.default));
  return Number.isSafeInteger(value) && value >= 1 ? value : null;
}
