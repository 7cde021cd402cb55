import { join } from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

/** Whether a text may be the id of a snapshot, and so the name of its folder. */
export const isSnapshotId = (text: string): boolean => /^[a-z0-9]{8,40}$/.test(text);

/**
 * Returns the folder of the snapshot with this id. The id is checked, because it becomes a path. Errors: `not_found`.
 */
export function getSnapshotFolder(id: string): string {
  if (!isSnapshotId(id)) throw new AppError('not_found', 'There is no such snapshot.', { id: id.slice(0, 40) });
  return join(config.snapshotsDir, id);
}
