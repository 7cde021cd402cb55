import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { bigkeysOf } from '@/lib/rules/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/rules/policy/effective-policy';
import { asksRules } from '@/lib/snapshots/key-query/filter-where';
import type { RuledSnapshotRef } from '@/lib/snapshots/key-query/rule-filter';
import { ruleOrderOf } from '../evaluate/rule-order';
import { prepare } from './findings-of';

/**
 * Adds the policy of the instance to a snapshot: the bigkey thresholds and, if the question filters by rule, strength,
 * exemption or owner or orders by rules, what the rules say about its keys.
 */
export async function withRules(
  ref: RuledSnapshotRef,
  filter: KeyFilter & Pick<ReportQuery, 'sort'>,
): Promise<RuledSnapshotRef> {
  const policy = await effectivePolicy(ref.manifest.instanceId);
  const ruled = asksRules(filter) ? (await prepare(ref, policy)).ref : { ...ref, bigkeys: bigkeysOf(policy) };
  return ordersByRules(filter.sort) ? { ...ruled, ruleOrder: ruleOrderOf(policy, ref.manifest) } : ruled;
}

const ordersByRules = (sort: string | undefined) => sort !== undefined && /^-?(rules|hazards)$/.test(sort);
