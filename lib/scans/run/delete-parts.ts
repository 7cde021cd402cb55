import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Deletes part files whose rows will be read again. */
export async function deleteParts(dir: string, files: string[]): Promise<void> {
  for (const file of files) await rm(join(dir, file), { force: true });
}

/**
 * Deletes part files that the checkpoint does not list. A process that was killed between writing a part and saving its
 * checkpoint leaves such a file; its keys are read again.
 */
export async function deleteUnknownParts(dir: string, checkpoint: ScanCheckpoint): Promise<void> {
  const knownFiles = new Set(checkpoint.partitions.flatMap((partition) => partition.parts));
  const files = await readdir(dir).catch(() => []);
  await deleteParts(
    dir,
    files.filter((file) => /^part-.*\.parquet((\.[0-9a-f]+)?\.tmp)?$/.test(file) && !knownFiles.has(file)),
  );
}
