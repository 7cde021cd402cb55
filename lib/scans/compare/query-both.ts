import type { Actor } from '@/lib/model/actor';
import { isChosenByServer } from '@/lib/model/comparison/since';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { type CommonPart, type ComparedRef, findCommonPart } from '@/lib/snapshots/compare/common-part';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { requireCompared, withDatabases } from './open-compared';

export interface BothSnapshots {
  now: ComparedRef;
  before: ComparedRef;
  common: CommonPart;
  /** The policy of `now`, by which the findings of both are judged. */
  policy: EffectivePolicy;
  /** The row of `before`. */
  row: SnapshotSummary;
}

/**
 * Runs a query on a snapshot and the one that `since` names. A reader must be allowed to see both. Errors: `not_found`,
 * also if one of the two is deleted meanwhile; those of `requireCompared` and `findCommonPart`.
 */
export async function queryBoth<T>(
  actor: Actor,
  id: string,
  since: string,
  run: (both: BothSnapshots) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const manifest = await getSnapshot(actor, id);
  // Before anything is said about the other one, because the reader may not be allowed to see it.
  if (!isChosenByServer(since)) await getSnapshot(actor, since);
  const row = await requireCompared(manifest, since);
  const other = await getSnapshot(actor, row.id);
  const [policy, otherPolicy] = [
    await getEffectivePolicy(manifest.instanceId),
    await getEffectivePolicy(other.instanceId),
  ];
  const open = (one: typeof manifest, its: EffectivePolicy): Promise<ComparedRef> =>
    withDatabases({
      dir: getSnapshotFolder(one.id),
      manifest: one,
      bigkeys: getPolicyThresholds(its),
      ...(signal && { signal }),
    });
  const [now, before] = [await open(manifest, policy), await open(other, otherPolicy)];
  try {
    return await run({ now, before, common: findCommonPart(now, before), policy, row });
  } catch (error) {
    // The files of a snapshot that was deleted meanwhile cannot be read. Then this throws `not_found`.
    for (const one of [id, row.id]) await getSnapshot(actor, one);
    throw error;
  }
}
