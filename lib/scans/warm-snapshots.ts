import { config } from '@/lib/config';
import { evaluateSoon, startEvaluating, stopEvaluating } from '@/lib/findings/evaluate-soon';
import { rollUpSoon, startRollingUp, stopRollingUp } from '@/lib/findings/roll-up-soon';
import { newestSealed } from '@/lib/model/reports/fleet';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { snapshotFolder } from './snapshot-folder';

/** The snapshot that stands for each instance: what people will look at. Done ones answer at once. */
export async function warmNewestSnapshots(): Promise<void> {
  startPreparing();
  const rows = await listSnapshotRows(null);
  for (const id of new Set(rows.map(({ instanceId }) => instanceId))) {
    const snapshot = newestSealed(rows.filter(({ instanceId }) => instanceId === id));
    if (snapshot === null) continue;
    // What another machine made is prepared there.
    if (config.snapshotStore !== null && !(await isHere(snapshot.id))) continue;
    // The process ended before it was checked against the rules.
    if ((snapshot.policyHash ?? null) === null) void evaluateSoon(snapshot.instanceId);
    else void rollUpSoon(snapshot.id);
  }
}

/** What was stopped takes tasks again. */
function startPreparing(): void {
  startRollingUp();
  startEvaluating();
}

const isHere = (id: string) =>
  readManifest(snapshotFolder(id)).then(
    () => true,
    () => false,
  );

/** Stopping loses nothing: the next start goes on. */
export async function stopPreparing(): Promise<void> {
  await Promise.all([stopRollingUp(), stopEvaluating()]);
}
