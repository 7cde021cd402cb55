import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { asksRules } from '@/lib/key-query/filter-where';
import type { KeyFilter } from '@/lib/model/filter';
import type { SnapshotRef } from '@/lib/snapshots/with-source';
import { prepare } from './findings-of';

/**
 * The snapshot as the policy of its instance sees it: what is a bigkey, and what the rules say of its keys when the
 * question filters by rule, strength, exemption or owner.
 */
export async function withRules(ref: SnapshotRef, filter: KeyFilter): Promise<SnapshotRef> {
  const policy = await effectivePolicy(ref.manifest.instanceId);
  return asksRules(filter) ? (await prepare(ref, policy)).ref : { ...ref, bigkeys: bigkeysOf(policy) };
}
