import { evaluateSoon, startEvaluating, stopEvaluating } from '@/lib/findings/evaluate-soon';
import { rollUpSoon, startRollingUp, stopRollingUp } from '@/lib/findings/roll-up-soon';
import { listSnapshotRows } from '@/lib/store/snapshots';

/** The newest sealed snapshot of each instance: what people will look at. Done ones answer at once. */
export async function warmNewestSnapshots(): Promise<void> {
  startRollingUp();
  startEvaluating();
  const seen = new Set<string>();
  for (const snapshot of await listSnapshotRows(null)) {
    if (snapshot.state !== 'sealed' || seen.has(snapshot.instanceId)) continue;
    seen.add(snapshot.instanceId);
    // The process ended before it was checked against the rules.
    if ((snapshot.policyHash ?? null) === null) void evaluateSoon(snapshot.instanceId);
    else void rollUpSoon(snapshot.id);
  }
}

/** Stopping loses nothing: the next start goes on. */
export async function stopPreparing(): Promise<void> {
  await Promise.all([stopRollingUp(), stopEvaluating()]);
}
