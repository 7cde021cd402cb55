import { bigkeysOf } from '@/lib/findings/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/effective-policy';
import { prepare } from '@/lib/findings/findings-of';
import type { KeyFilter } from '@/lib/model/filter';
import { asksRules } from '@/lib/reports/where';
import type { SnapshotRef } from '@/lib/snapshots/with-source';

/**
 * The snapshot as the policy of its instance sees it: what is a bigkey, and what the rules say of its keys when the question filters by
 * rule, strength or owner.
 */
export async function withRules(ref: SnapshotRef, filter: KeyFilter): Promise<SnapshotRef> {
  const policy = await effectivePolicy(ref.manifest.instanceId);
  return asksRules(filter) ? (await prepare(ref, policy)).ref : { ...ref, bigkeys: bigkeysOf(policy) };
}
