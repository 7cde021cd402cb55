import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { isLocked } from '@/lib/snapshots/folder/folder-lock';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { isPinned } from '@/lib/snapshots/folder/pins';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { readStoredMark } from './stored-mark';

/**
 * Removes the local files of a scan that another machine took over and sealed on its own disk, so that readers get the
 * snapshot from the store. Returns whether it removed them. A machine that seals writes the description before the row,
 * so a scan that is still running here never meets these conditions.
 */
export async function removeSuperseded({ id, state, endedAt }: SnapshotSummary): Promise<boolean> {
  if (state !== 'sealed') return false;
  const dir = snapshotFolder(id);
  const manifest = await readManifest(dir).catch(() => null);
  if (manifest === null) return false;
  // It was sealed here too but not recorded; the row describes the other one.
  const isOther = manifest.state !== 'sealed' || (manifest.endedAt !== endedAt && (await readStoredMark(dir)) === null);
  if (!isOther || isPinned(dir) || (await isLocked(dir))) return false;
  await removeSnapshotFolder(dir);
  return true;
}
