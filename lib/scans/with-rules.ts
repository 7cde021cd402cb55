import { effectivePolicy } from '@/lib/findings/effective-policy';
import { prepare } from '@/lib/findings/findings-of';
import type { KeyFilter } from '@/lib/model/filter';
import { asksRules } from '@/lib/reports/where';
import type { SnapshotRef } from '@/lib/snapshots/with-source';

/** The snapshot with what the rules say of its keys, when the question filters by rule, strength or owner. */
export async function withRules(ref: SnapshotRef, filter: KeyFilter): Promise<SnapshotRef> {
  if (!asksRules(filter)) return ref;
  return (await prepare(ref, await effectivePolicy(ref.manifest.instanceId))).ref;
}
