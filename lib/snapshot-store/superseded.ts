import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { isLocked } from '@/lib/snapshots/folder/folder-lock';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { isPinned } from '@/lib/snapshots/folder/pins';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { readStoredMark } from './stored-mark';

/**
 * A worker died, another one went on with its scan on its own disk and has sealed: what lies here is of the run that
 * was overtaken. It goes, so that readers get the snapshot itself from the store. Returns whether it went. A disk that
 * sealed writes the description before the row, so one that is still being scanned here never looks like this.
 */
export async function removeSuperseded({ id, state, endedAt }: SnapshotSummary): Promise<boolean> {
  if (state !== 'sealed') return false;
  const dir = snapshotFolder(id);
  const manifest = await readManifest(dir).catch(() => null);
  if (manifest === null) return false;
  // Sealed here too, and never recorded: the row tells of the other one.
  const isOther = manifest.state !== 'sealed' || (manifest.endedAt !== endedAt && (await readStoredMark(dir)) === null);
  if (!isOther || isPinned(dir) || (await isLocked(dir))) return false;
  await removeSnapshotFolder(dir);
  return true;
}
