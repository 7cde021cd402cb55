import path from 'node:path';
import { config } from '@/lib/config';
import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { log } from '@/lib/log';
import { processWide } from '@/lib/process-wide';
import { warmReports } from '@/lib/reports/warm-reports';
import { readManifest } from '@/lib/snapshots/manifest';

/**
 * Computes the slow answers of sealed snapshots ahead, one snapshot at a time, beside everything else. A snapshot can
 * be asked before this is done; it only answers its largest nodes slower. Stopping loses nothing: the next start goes
 * on.
 */
const theQueue = () => processWide('warm-queue', () => ({ tail: Promise.resolve(), abort: new AbortController() }));

/** Asked again for what is done answers at once; after a change of the profile, what tells of bigkeys is asked anew. */
export function warmSoon(snapshotId: string): void {
  const queue = theQueue();
  const { signal } = queue.abort;
  queue.tail = queue.tail.then(async () => {
    if (signal.aborted) return;
    const dir = path.join(config.dataDir, 'snapshots', snapshotId);
    try {
      const manifest = await readManifest(dir);
      const bigkeys = bigkeysOf(await effectivePolicy(manifest.instanceId));
      await warmReports({ dir, manifest, bigkeys }, { signal });
    } catch (error) {
      if (!signal.aborted) log().warn({ snapshot: snapshotId, err: error }, 'findings.warmup_failed');
    }
  });
}

/** Cuts off what runs and takes nothing more until `startWarming`. */
export async function stopWarming(): Promise<void> {
  const queue = theQueue();
  queue.abort.abort();
  await queue.tail;
}

export function startWarming(): void {
  const queue = theQueue();
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
