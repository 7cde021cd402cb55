import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { filtersByRules } from '@/lib/snapshots/key-query/filter-where';
import type { RuledSnapshotRef } from '@/lib/snapshots/key-query/rule-filter';
import { compileRuleOrder } from '../evaluate/rule-order';
import { ensureEvaluated } from './read-findings';

/**
 * Adds the policy of the instance to a snapshot: the bigkey thresholds and, if the question filters by rule, strength,
 * exemption or owner or orders by rules, what the rules say about its keys.
 */
export async function withRules(
  ref: RuledSnapshotRef,
  filter: KeyFilter & Pick<ReportQuery, 'sort'>,
): Promise<RuledSnapshotRef> {
  const policy = await getEffectivePolicy(ref.manifest.instanceId);
  const ruled = filtersByRules(filter)
    ? (await ensureEvaluated(ref, policy)).ref
    : { ...ref, bigkeys: getPolicyThresholds(policy) };
  return ordersByRules(filter.sort) ? { ...ruled, ruleOrder: compileRuleOrder(policy, ref.manifest) } : ruled;
}

const ordersByRules = (sort: string | undefined) => sort !== undefined && /^-?(rules|hazards)$/.test(sort);
