import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { asksRules } from '@/lib/key-query/filter-where';
import type { RuledSnapshotRef } from '@/lib/key-query/rule-filter';
import type { KeyFilter } from '@/lib/model/filter';
import { prepare } from './findings-of';

/**
 * The snapshot as the policy of its instance sees it: what is a bigkey, and what the rules say of its keys when the
 * question filters by rule, strength, exemption or owner.
 */
export async function withRules(ref: RuledSnapshotRef, filter: KeyFilter): Promise<RuledSnapshotRef> {
  const policy = await effectivePolicy(ref.manifest.instanceId);
  return asksRules(filter) ? (await prepare(ref, policy)).ref : { ...ref, bigkeys: bigkeysOf(policy) };
}
