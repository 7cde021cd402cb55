import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from './catalogue';

/**
 * The thresholds of a bigkey under a profile: the numbers of its rules that are on (V1 bytes of strings; V3 elements,
 * or V5 if V3 is off; V2 bytes of memory), else the numbers of the standards. The bigkeys report, the counts in the
 * tree and the rules use these, so that they mean the same keys.
 */
export function getBigkeyThresholds(body: ProfileBody): BigkeyThresholds {
  return {
    stringBytes: readRuleNumber(body, 'V1', 'bytes') ?? STANDARD_THRESHOLDS.stringBytes,
    elements:
      readRuleNumber(body, 'V3', 'elements') ?? readRuleNumber(body, 'V5', 'elements') ?? STANDARD_THRESHOLDS.elements,
    collectionBytes: readRuleNumber(body, 'V2', 'bytes') ?? STANDARD_THRESHOLDS.collectionBytes,
  };
}

function readRuleNumber(body: ProfileBody, id: string, name: string): number | null {
  const setting = body.rules[id];
  if (!setting?.on) return null;
  const value = Math.trunc(Number(setting.params[name] ?? ruleById.get(id)!.params[name]!.default));
  return Number.isSafeInteger(value) && value >= 1 ? value : null;
}
