import { AppError } from '@/lib/model/errors';
import { findNewestSealed } from '@/lib/model/reports/fleet';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { bringSnapshot } from './bring-snapshot';

/** Reads the description of the snapshot that represents an instance; null: there is none, or it cannot be read now. */
export async function readNewestManifest(instanceId: string): Promise<SnapshotManifest | null> {
  const newest = findNewestSealed(await listSnapshotRows(instanceId));
  if (!newest) return null;
  try {
    await bringSnapshot(newest.id);
    return await readManifest(getSnapshotFolder(newest.id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
