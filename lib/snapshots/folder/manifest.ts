import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { config } from '@/lib/runtime/config';
import { readChecked, writeChecked } from './checked-text';
import { createDamagedFilesError, reportDamage } from './checksums';

export const MANIFEST_FILE = 'snapshot.json';

/**
 * Reads and checks the manifest of a snapshot. Errors: `not_found` when there is no snapshot, `snapshot_damaged` when
 * the manifest is not what was written, `snapshot_unreadable` when another version of Colonnade wrote it.
 */
export async function readManifest(dir: string): Promise<SnapshotManifest> {
  let content: unknown;
  try {
    content = await readChecked(path.join(dir, MANIFEST_FILE));
  } catch (error) {
    if (error instanceof AppError) await reportDamage(dir, MANIFEST_FILE);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new AppError('not_found', 'There is no such snapshot.', {}, { cause: error });
    }
    throw error;
  }
  let manifest: SnapshotManifest;
  try {
    manifest = SnapshotManifest.parse(content);
  } catch (error) {
    throw new AppError(
      'snapshot_unreadable',
      'This snapshot was written by another version of Colonnade. Scan the instance again.',
      {},
      { cause: error },
    );
  }
  // A snapshot in the data folder has its id as folder name. A snapshot in any other folder may have any name.
  if (path.dirname(dir) === config.snapshotsDir && path.basename(dir) !== manifest.id) {
    await reportDamage(dir, MANIFEST_FILE);
    throw createDamagedFilesError([MANIFEST_FILE]);
  }
  return manifest;
}

/** Whether the folder still holds the snapshot of this manifest. */
export async function isDescribedAs(dir: string, { endedAt, fileBytes }: SnapshotManifest): Promise<boolean> {
  const now = await readManifest(dir).catch(() => null);
  return now !== null && now.endedAt === endedAt && now.fileBytes === fileBytes;
}

/** Writes the manifest atomically: a reader sees the former or the new one, complete. */
export async function writeManifest(dir: string, manifest: SnapshotManifest): Promise<void> {
  const json = JSON.stringify(SnapshotManifest.parse(manifest), null, 2);
  await writeChecked(path.join(dir, MANIFEST_FILE), json);
}
