import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { LONG } from '../long-form.mjs';

/**
 * Rules of each kind: about names, about names with a type, about names with ids, about facts, about sizes, about facts
 * that stay unknown, and one about groups.
 */
const FEW = ['N3', 'N4', 'N5', 'N7', 'N8', 'N9', 'N10', 'N14', 'N15', 'N16', 'T1', 'V1', 'V3', 'V10', 'V14'];

/**
 * Returns the profile with some of its rules, in the long form with all of them, for tests in which the number of rules
 * does not matter: planning a statement with all of them takes longer than running it for some thousand keys.
 */
export const withFewRules = (body: ProfileBody): ProfileBody =>
  LONG ? body : { ...body, rules: Object.fromEntries(Object.entries(body.rules).filter(([id]) => FEW.includes(id))) };

export const policyOfFewRules = (policy: EffectivePolicy): EffectivePolicy => ({
  ...policy,
  hash: LONG ? policy.hash : policy.hash.replace(/^../, 'fe'),
  profiles: policy.profiles.map(({ id, body }) => ({ id, body: withFewRules(body) })),
});
