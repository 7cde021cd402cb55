import path from 'node:path';
import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readChecked, writeChecked } from './checked-text';
import { damagedFiles, reportDamage } from './checksums';

export const MANIFEST_FILE = 'snapshot.json';

/**
 * Throws AppError('not_found') where there is no snapshot, ('snapshot_damaged') where its description is not what was
 * written and ('snapshot_unreadable') where another version of Colonnade wrote it.
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
  // A folder of the data folder is named after its snapshot; one that was written elsewhere has a name of its own.
  if (path.dirname(dir) === config.snapshotsDir && path.basename(dir) !== manifest.id) {
    await reportDamage(dir, MANIFEST_FILE);
    throw damagedFiles([MANIFEST_FILE]);
  }
  return manifest;
}

/** Whether what lies in the folder is still the snapshot of this description. */
export async function isDescribedAs(dir: string, { endedAt, fileBytes }: SnapshotManifest): Promise<boolean> {
  const now = await readManifest(dir).catch(() => null);
  return now !== null && now.endedAt === endedAt && now.fileBytes === fileBytes;
}

/** Atomic: a reader sees the former or the new description, whole. */
export async function writeManifest(dir: string, manifest: SnapshotManifest): Promise<void> {
  const json = JSON.stringify(SnapshotManifest.parse(manifest), null, 2);
  await writeChecked(path.join(dir, MANIFEST_FILE), json);
}
