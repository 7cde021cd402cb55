import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Deletes part files whose rows will be read again. */
export async function dropParts(dir: string, files: string[]): Promise<void> {
  for (const file of files) await rm(join(dir, file), { force: true });
}

/**
 * Deletes part files that the checkpoint does not list. A process that was killed between writing a part and saving its
 * checkpoint leaves such a file; its keys are read again.
 */
export async function dropUnknownParts(dir: string, checkpoint: ScanCheckpoint): Promise<void> {
  const known = new Set(checkpoint.partitions.flatMap((p) => p.parts));
  const present = await readdir(dir).catch(() => []);
  await dropParts(
    dir,
    present.filter((file) => /^part-.*\.parquet((\.[0-9a-f]+)?\.tmp)?$/.test(file) && !known.has(file)),
  );
}
