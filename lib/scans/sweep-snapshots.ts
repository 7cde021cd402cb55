import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { isLocked } from '@/lib/snapshots/folder/folder-lock';
import { listSnapshotRows } from '@/lib/store/snapshots';

/**
 * When several servers share the database, folders younger than this, in ms, are kept, because another server may be
 * about to lock a folder it has just created.
 */
const NEW_FOLDER_MS = 600_000;

/**
 * Deletes snapshot folders without a row: a crash between the deletion of a row and of its folder leaves one. Called
 * once before jobs run.
 */
export async function sweepSnapshots(): Promise<void> {
  const isShared = config.databaseUrl !== null;
  const knownIds = new Set((await listSnapshotRows(null)).map((snapshot) => snapshot.id));
  const folderNames = await readdir(config.snapshotsDir).catch(() => []);
  for (const name of folderNames) {
    const folder = join(config.snapshotsDir, name);
    // Names with a leading dot are not snapshots but spill files of running servers (spill-folder.ts).
    if (name.startsWith('.') || knownIds.has(name)) continue;
    // A locked folder belongs to another server on this data folder that has started a scan and has not written its row
    // yet.
    if (await isLocked(folder)) continue;
    if (isShared && (await isNewFolder(folder))) continue;
    log().info({ folder: name }, 'snapshot.orphan_deleted');
    await rm(folder, { recursive: true, force: true });
  }
}

async function isNewFolder(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs < NEW_FOLDER_MS;
}
