import { describe, expect, it } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { presets } from '@/lib/rules/profiles/presets';
import { getBigkeyThresholds } from './bigkey-thresholds';

const own = presets.get('default')!;
function withRules(rules: Record<string, { on: boolean; params?: Record<string, number> }>): ProfileBody {
  const changed = Object.entries(rules).map(([id, { on, params = {} }]) => [id, { ...own.rules[id]!, on, params }]);
  return { ...own, rules: { ...own.rules, ...Object.fromEntries(changed) } };
}

describe('what a profile calls a bigkey', () => {
  it('is what the standards say, where the profile says no more', () => {
    expect(getBigkeyThresholds(own)).toEqual(STANDARD_THRESHOLDS);
  });
  it.each([
    ['strings', { V1: { on: true, params: { bytes: 2048 } } }, { stringBytes: 2048 }],
    ['elements', { V3: { on: true, params: { elements: 700 } } }, { elements: 700 }],
    ['memory of any type', { V2: { on: true } }, { collectionBytes: 10_240 }],
    ['sets and lists, where only that rule is on', { V3: { on: false }, V5: { on: true } }, { elements: 10_000 }],
    ['both rules about elements: that for all types', { V5: { on: true, params: { elements: 90 } } }, {}],
    ['a rule that is off says nothing', { V1: { on: false, params: { bytes: 7 } } }, {}],
  ])('%s', (_what, rules, changed) => {
    expect(getBigkeyThresholds(withRules(rules))).toEqual({ ...STANDARD_THRESHOLDS, ...changed });
  });
  it('S2 measures memory, which reports collections of 10 KB', () => {
    expect(getBigkeyThresholds(presets.get('S2')!)).toEqual({ ...STANDARD_THRESHOLDS, collectionBytes: 10_240 });
  });
});
