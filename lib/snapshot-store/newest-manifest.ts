import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { bringSnapshot } from './bring-snapshot';

/** The description of the newest sealed snapshot of an instance; null: there is none, or it cannot be read now. */
export async function newestManifest(instanceId: string): Promise<SnapshotManifest | null> {
  const newest = (await listSnapshotRows(instanceId)).find(({ state }) => state === 'sealed');
  if (!newest) return null;
  try {
    await bringSnapshot(newest.id);
    return await readManifest(snapshotFolder(newest.id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
