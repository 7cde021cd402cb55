import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { STANDARDS, type StandardId } from '@/lib/model/rules/vocabulary';
import { presets } from '@/lib/rules/profiles/presets';
import { toPolicy } from './effective-policy';

let cached: ReadonlyMap<StandardId, EffectivePolicy> | null = null;

const getPolicies = (): ReadonlyMap<StandardId, EffectivePolicy> =>
  (cached ??= new Map(STANDARDS.map((id) => [id, toPolicy(presets.get(id)!)])));

/** The policy that checks exactly what a standard states, without exemptions. */
export const getStandardPolicy = (id: StandardId): EffectivePolicy => getPolicies().get(id)!;

/** Whether the hash is that of a standard, which is never superseded. */
export const isStandardPolicy = (hash: string): boolean =>
  [...getPolicies().values()].some((policy) => policy.hash === hash);
