import { evaluateSoon, startEvaluating, stopEvaluating } from '@/lib/findings/evaluate-soon';
import { log } from '@/lib/log';
import { warmReports } from '@/lib/reports/warm-reports';
import { readManifest } from '@/lib/snapshots/manifest';
import { listSnapshots } from '@/lib/store/snapshots';
import { snapshotFolder } from './snapshot-folder';

/**
 * Computes the slow answers of sealed snapshots ahead, one snapshot at a time, beside everything else, and what the rules find. A snapshot can be
 * asked before this is done; it only answers its largest nodes slower. Stopping loses nothing: the next start goes on.
 */
let queue: Promise<void> = Promise.resolve();
let abort = new AbortController();

export function warmSnapshot(id: string): void {
  const { signal } = abort;
  queue = queue.then(async () => {
    if (signal.aborted) return;
    const dir = snapshotFolder(id);
    try {
      await warmReports({ dir, manifest: await readManifest(dir) }, { signal });
    } catch (error) {
      if (!signal.aborted) log().warn({ snapshot: id, err: error }, 'answers could not be computed ahead');
    }
  });
}

/** The newest sealed snapshot of each instance: what people will look at. Done ones answer at once. */
export async function warmNewestSnapshots(): Promise<void> {
  abort = new AbortController();
  startEvaluating();
  const seen = new Set<string>();
  for (const snapshot of await listSnapshots(null)) {
    if (snapshot.state !== 'sealed' || seen.has(snapshot.instanceId)) continue;
    seen.add(snapshot.instanceId);
    // The process ended before it was held against the rules.
    if ((snapshot.policyHash ?? null) === null) void evaluateSoon(snapshot.instanceId);
    warmSnapshot(snapshot.id);
  }
}

export async function stopWarming(): Promise<void> {
  abort.abort();
  await Promise.all([queue, stopEvaluating()]);
}
