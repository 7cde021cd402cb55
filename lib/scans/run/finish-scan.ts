import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import { computeCoverage } from './scan-manifest';
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
  const stopSealing = new AbortController();
  const signal = AbortSignal.any([hooks.signal, stopSealing.signal]);
  void hooks.whenStopRequested.then(() => stopSealing.abort());
  if (hooks.getStopRequest() !== null) return 'stopped';
  await hooks.assertNotTakenOver();
  const parts = checkpoint.partitions.flatMap((partition) => partition.parts);
  const sealStats = await sealSnapshot(dir, parts, {
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
    if (stopSealing.signal.aborted && !hooks.signal.aborted) return null;
    throw error;
  });
  if (sealStats === null) return 'stopped';
  await hooks.onSnapshot(await readManifest(dir), sealStats);
  return 'done';
}
