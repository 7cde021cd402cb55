import path from 'node:path';
import { config } from '@/lib/config';
import { bigkeysOf } from '@/lib/findings/policy/bigkeys-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { log } from '@/lib/log';
import { makeRollup } from '@/lib/rollup/make-rollup';
import { readRollupMeta } from '@/lib/rollup/rollup-folder';
import { bringKeys, bringPrepared } from '@/lib/snapshot-store/bring-snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { prepareOnce } from '@/lib/snapshots/folder/prepare-once';
import { whilePreparing } from '@/lib/store/while-preparing';
import { wishSoon } from '@/lib/store/wishes';

/**
 * Makes the roll-ups of sealed snapshots in the background, one at a time. A snapshot can be asked before its roll-up
 * is made: its keys answer, slower. Stopping loses nothing: the next start goes on.
 */
const queue = {
  tail: Promise.resolve(),
  abort: new AbortController(),
  started: false,
  missing: new Set<string>(),
  failedAt: new Map<string, number>(),
};
/** What cannot be made is not tried with every question. */
const AGAIN_MS = 10 * 60_000;
const MAX_FAILED = 1000;

/** A question found none that holds: lost, damaged, of another version or for other thresholds. */
export function rollUpMissing(snapshotId: string): void {
  if (config.role === 'web') {
    wishRollUp(snapshotId);
    return;
  }
  const { started, missing, failedAt } = queue;
  const failed = failedAt.get(snapshotId) ?? Number.NEGATIVE_INFINITY;
  if (!started || missing.has(snapshotId) || performance.now() - failed < AGAIN_MS) return;
  missing.add(snapshotId);
  void rollUpSoon(snapshotId).finally(() => missing.delete(snapshotId));
}

/** Of a worker, which may have put one into the object store since the snapshot came from there. */
function wishRollUp(snapshotId: string): void {
  const { missing } = queue;
  if (missing.has(snapshotId)) return;
  missing.add(snapshotId);
  bringPrepared(snapshotId)
    // Nothing of it has come, so a worker looks whether there is something to come.
    .catch(() => {})
    .then(() => wishSoon({ kind: 'roll-up', snapshotId }, AGAIN_MS))
    .finally(() => missing.delete(snapshotId));
}

/** Where it holds already nothing is done; after a change of the thresholds of bigkeys it is made anew. */
export function rollUpSoon(snapshotId: string): Promise<void> {
  const { signal } = queue.abort;
  queue.tail = queue.tail.then(async () => {
    if (signal.aborted) return;
    const dir = path.join(config.snapshotsDir, snapshotId);
    try {
      const manifest = await readManifest(dir);
      const bigkeys = bigkeysOf(await effectivePolicy(manifest.instanceId));
      if (manifest.state !== 'sealed') return;
      await prepareOnce(dir, {
        lock: 'roll-up.lock',
        known: () => readRollupMeta({ dir, manifest, bigkeys }),
        make: async () => {
          // Whoever found none may have asked some of the files only.
          await bringKeys(snapshotId, { signal, maxWaitMs: null });
          return whilePreparing(snapshotId, 'roll-up', (onProgress) =>
            makeRollup({ dir, manifest, bigkeys }, { signal, onProgress }),
          );
        },
        signal,
      });
    } catch (error) {
      if (signal.aborted) return;
      queue.failedAt.set(snapshotId, performance.now());
      if (queue.failedAt.size > MAX_FAILED) queue.failedAt.delete(queue.failedAt.keys().next().value!);
      log().warn({ snapshot: snapshotId, err: error }, 'findings.rollup_failed');
    }
  });
  return queue.tail;
}

/** Cuts off what runs and takes nothing more until `startRollingUp`. */
export async function stopRollingUp(): Promise<void> {
  queue.started = false;
  queue.abort.abort();
  await queue.tail;
}

export function startRollingUp(): void {
  queue.started = true;
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
