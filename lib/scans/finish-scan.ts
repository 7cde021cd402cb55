import type { BigkeyThresholds } from '@/lib/model/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { readManifest } from '@/lib/snapshots/manifest';
import { sealSnapshot } from '@/lib/snapshots/seal-snapshot';
import { coverageOf } from './begin-scan';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';

/** Seals what was read and tells the store. Killed anywhere between, the next run comes to the same. */
export async function finishScan(
  dir: string,
  checkpoint: ScanCheckpoint,
  manifest: SnapshotManifest,
  bigkeys: BigkeyThresholds,
  hooks: ScanHooks,
): Promise<void> {
  const parts = checkpoint.partitions.flatMap((p) => p.parts);
  const stats = await sealSnapshot(dir, parts, {
    signal: hooks.signal,
    bigkeys,
    manifest: ({ keys, fileBytes, duplicatesRemoved, unknownFacts }) => ({
      ...manifest,
      state: 'sealed',
      nodes: checkpoint.nodes,
      endedAt: Date.now(),
      keys,
      fileBytes,
      coverage: { ...coverageOf(checkpoint, keys), duplicatesRemoved, unknownFacts },
      cost: checkpoint.cost,
    }),
  });
  await hooks.onSnapshot(await readManifest(dir), stats);
}
