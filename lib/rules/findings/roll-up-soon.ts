/**
 * Makes the roll-ups of sealed snapshots in the background, one at a time. Until its roll-up is made, a snapshot is
 * read from its keys, which is slower. Stopping loses nothing: the next start continues.
 */

import path from 'node:path';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { prepareOnce } from '@/lib/snapshots/folder/prepare-once';
import { bringKeys, bringPrepared } from '@/lib/snapshots/remote/bring-snapshot';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { readRollupMeta } from '@/lib/snapshots/rollup/rollup-folder';
import { reportPreparation } from '@/lib/store/preparations';
import { makeWishSoon } from '@/lib/store/wishes';

const queue = {
  /** Resolves when everything that was queued is done. */
  tail: Promise.resolve(),
  abort: new AbortController(),
  started: false,
  /** Snapshots without a valid roll-up, which is queued or was requested from a worker. */
  missing: new Set<string>(),
  /** Times of performance.now by snapshot. */
  failedAt: new Map<string, number>(),
};
/** After a failure the roll-up is not tried again for this long, instead of with every question. */
const AGAIN_MS = 10 * 60_000;
/** Number of failures that are remembered; the oldest is forgotten. */
const MAX_FAILED = 1000;

/**
 * Call this when a question found no valid roll-up: it is lost, damaged, of another version or for other thresholds.
 */
export function rollUpMissing(snapshotId: string): void {
  if (config.role === 'web') {
    requestRollUp(snapshotId);
    return;
  }
  const { started, missing, failedAt } = queue;
  const failed = failedAt.get(snapshotId) ?? Number.NEGATIVE_INFINITY;
  if (!started || missing.has(snapshotId) || performance.now() - failed < AGAIN_MS) return;
  missing.add(snapshotId);
  void rollUpSoon(snapshotId).finally(() => missing.delete(snapshotId));
}

/**
 * Asks a worker for the roll-up. A worker may have put one into the object store since the snapshot was fetched from
 * there, so fetch that first.
 */
function requestRollUp(snapshotId: string): void {
  const { missing } = queue;
  if (missing.has(snapshotId)) return;
  missing.add(snapshotId);
  bringPrepared(snapshotId)
    // If nothing could be fetched, the worker still finds out whether a roll-up has to be made.
    .catch(() => {})
    .then(() => makeWishSoon({ kind: 'roll-up', snapshotId }, { againMs: AGAIN_MS }))
    .finally(() => missing.delete(snapshotId));
}

/**
 * Queues making the roll-up. Nothing is done if a valid one exists; after a change of the bigkey thresholds it is made
 * again.
 */
export function rollUpSoon(snapshotId: string): Promise<void> {
  const { signal } = queue.abort;
  queue.tail = queue.tail.then(async () => {
    if (signal.aborted) return;
    const dir = path.join(config.snapshotsDir, snapshotId);
    try {
      const manifest = await readManifest(dir);
      const bigkeys = getPolicyThresholds(await getEffectivePolicy(manifest.instanceId));
      if (manifest.state !== 'sealed') return;
      await prepareOnce(dir, {
        lock: 'roll-up.lock',
        known: () => readRollupMeta({ dir, manifest, bigkeys }),
        make: async () => {
          // The process that found no roll-up may have fetched only some of the files.
          await bringKeys(snapshotId, { signal, maxWaitMs: null });
          return reportPreparation(snapshotId, 'roll-up', (onProgress) =>
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

/** Aborts the running roll-up and starts nothing more until `startRollingUp`. */
export async function stopRollingUp(): Promise<void> {
  queue.started = false;
  queue.abort.abort();
  await queue.tail;
}

export function startRollingUp(): void {
  queue.started = true;
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
