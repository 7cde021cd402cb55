import { AppError } from '@/lib/model/errors';
import { filesAreGone } from '@/lib/snapshots/folder/missing-files';
import { getSnapshotRow } from '@/lib/store/snapshots';

/** Why files of a snapshot went away while a plan read them. Its row goes before they do. Other errors pass. */
export async function snapshotGone(error: unknown, id: string, wasLive: boolean): Promise<unknown> {
  if (!filesAreGone(error)) return error;
  if ((await getSnapshotRow(id)) === null)
    return new AppError(
      'not_found',
      'The snapshot was removed while the plan was made: its scan was cancelled, somebody deleted it, or it has outlived the retention setting. Plan with another snapshot.',
      { id },
      { cause: error },
    );
  if (!wasLive) return error;
  return new AppError(
    'conflict',
    'The scan went on while the plan was made, and its files were replaced. Make the plan again.',
    { id },
    { cause: error },
  );
}
