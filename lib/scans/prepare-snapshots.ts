import { findNewestSealed } from '@/lib/model/reports/fleet';
import { startEvaluating, stopEvaluating } from '@/lib/rules/findings/evaluate-soon';
import { startRollingUp, stopRollingUp } from '@/lib/rules/findings/roll-up-soon';
import { config } from '@/lib/runtime/config';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { makeWishSoon } from '@/lib/store/wishes';

/**
 * Stores a wish to prepare the newest snapshot of each instance, because people will open it first. Tries of a wish are
 * counted, so a preparation that kills its worker does not begin again at every start.
 */
export async function prepareNewestSnapshots(): Promise<void> {
  // After a stop in this process, roll-up and evaluation take tasks again.
  startRollingUp();
  startEvaluating();
  const rows = await listSnapshotRows(null);
  for (const id of new Set(rows.map(({ instanceId }) => instanceId))) {
    const snapshot = findNewestSealed(rows.filter(({ instanceId }) => instanceId === id));
    if (snapshot === null) continue;
    // A snapshot of another machine is prepared there.
    if (config.snapshotStore !== null && !(await hasManifestHere(snapshot.id))) continue;
    // Without a policy hash the snapshot was not evaluated: the process ended before that.
    const isEvaluated = (snapshot.policyHash ?? null) !== null;
    void makeWishSoon(
      isEvaluated ? { kind: 'roll-up', snapshotId: snapshot.id } : { kind: 'check', instanceId: snapshot.instanceId },
    );
  }
}

const hasManifestHere = (id: string) =>
  readManifest(getSnapshotFolder(id)).then(
    () => true,
    () => false,
  );

/** Stops the preparation. Nothing is lost: the next start continues it. */
export async function stopPreparing(): Promise<void> {
  await Promise.all([stopRollingUp(), stopEvaluating()]);
}
