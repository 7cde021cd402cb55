import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { computeCoverage } from './begin-scan';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/**
 * Seals what was read and records the snapshot in the store. If the process is killed at any point, the next run comes
 * to the same result; therefore a requested stop ends it at once, and 'stopped' is returned.
 */
export async function finishScan(
  dir: string,
  checkpoint: ScanCheckpoint,
  manifest: SnapshotManifest,
  bigkeys: BigkeyThresholds,
  meter: ScanMeter,
  hooks: ScanHooks,
): Promise<'done' | 'stopped'> {
  // A requested stop ends the sealing without an error. `hooks.signal` aborts if nothing may be written any more.
  const stop = new AbortController();
  const signal = AbortSignal.any([hooks.signal, stop.signal]);
  void hooks.stopped.then(() => stop.abort());
  if (hooks.stopRequested() !== null) return 'stopped';
  await hooks.assertHeld();
  const parts = checkpoint.partitions.flatMap((p) => p.parts);
  const stats = await sealSnapshot(dir, parts, {
    signal,
    bigkeys,
    onProgress: (progress) => meter.noteSealing(progress),
    manifest: ({ keys, fileBytes, duplicatesRemoved, unknownFacts }) => ({
      ...manifest,
      state: 'sealed',
      nodes: checkpoint.nodes,
      readingEndedAt: checkpoint.readingEndedAt ?? null,
      endedAt: Date.now(),
      keys,
      fileBytes,
      coverage: { ...computeCoverage(checkpoint, keys), duplicatesRemoved, unknownFacts },
      cost: checkpoint.cost,
    }),
  }).catch((error) => {
    if (stop.signal.aborted && !hooks.signal.aborted) return null;
    throw error;
  });
  if (stats === null) return 'stopped';
  await hooks.onSnapshot(await readManifest(dir), stats);
  return 'done';
}
