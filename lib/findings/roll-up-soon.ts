import path from 'node:path';
import { config } from '@/lib/config';
import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { log } from '@/lib/log';
import { offload } from '@/lib/offload/offload';
import { processWide } from '@/lib/process-wide';
import { makeRollup } from '@/lib/rollup/make-rollup';
import { readRollupMeta } from '@/lib/rollup/rollup-folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';

/**
 * Makes the roll-ups of sealed snapshots in the background, one at a time. A snapshot can be asked before its roll-up
 * is made: its keys answer, slower. Stopping loses nothing: the next start goes on.
 */
const theQueue = () => processWide('rollup-queue', () => ({ tail: Promise.resolve(), abort: new AbortController() }));

/** Where it holds already nothing is done; after a change of the thresholds of bigkeys it is made anew. */
export function rollUpSoon(snapshotId: string): Promise<void> {
  const queue = theQueue();
  const { signal } = queue.abort;
  queue.tail = queue.tail.then(async () => {
    if (signal.aborted) return;
    const dir = path.join(config.dataDir, 'snapshots', snapshotId);
    try {
      const manifest = await readManifest(dir);
      const bigkeys = bigkeysOf(await effectivePolicy(manifest.instanceId));
      if (manifest.state !== 'sealed') return;
      if ((await readRollupMeta({ dir, manifest, bigkeys })) === null)
        await offload({ kind: 'roll-up', dir, bigkeys }, { keys: manifest.keys, signal });
      await makeRollup({ dir, manifest, bigkeys }, { signal });
    } catch (error) {
      if (!signal.aborted) log().warn({ snapshot: snapshotId, err: error }, 'findings.rollup_failed');
    }
  });
  return queue.tail;
}

/** Cuts off what runs and takes nothing more until `startRollingUp`. */
export async function stopRollingUp(): Promise<void> {
  const queue = theQueue();
  queue.abort.abort();
  await queue.tail;
}

export function startRollingUp(): void {
  const queue = theQueue();
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
