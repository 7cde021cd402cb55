import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { asksRules } from '@/lib/key-query/filter-where';
import type { RuledSnapshotRef } from '@/lib/key-query/rule-filter';
import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { ruleOrderOf } from './evaluate/rule-order';
import { prepare } from './findings-of';

/**
 * The snapshot as the policy of its instance sees it: what is a bigkey, and what the rules say of its keys when the
 * question filters by rule, strength, exemption or owner, or orders by rules.
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
