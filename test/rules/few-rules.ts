import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { LONG } from '../long-form.mjs';

/**
 * Rules of each way in which they are asked: of names, of names with a type, of names where ids matter, of facts, of
 * sizes, of what is unknown despite all facts, and one about groups.
 */
const FEW = ['N3', 'N4', 'N5', 'N7', 'N8', 'N9', 'N10', 'N14', 'N15', 'N16', 'T1', 'V1', 'V3', 'V10', 'V14'];

/**
 * The profile with some of its rules, in the long form with all of them: for tests in which the number of rules is not
 * the point, because to plan a statement with all of them takes longer than to ask it of some thousand keys.
 */
export const withFewRules = (body: ProfileBody): ProfileBody =>
  LONG ? body : { ...body, rules: Object.fromEntries(Object.entries(body.rules).filter(([id]) => FEW.includes(id))) };

export const policyOfFewRules = (policy: EffectivePolicy): EffectivePolicy => ({
  ...policy,
  hash: LONG ? policy.hash : policy.hash.replace(/^../, 'fe'),
  profiles: policy.profiles.map(({ id, body }) => ({ id, body: withFewRules(body) })),
});
