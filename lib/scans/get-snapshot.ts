import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { bringSnapshot } from '@/lib/snapshots/remote/bring-snapshot';
import * as store from '@/lib/store/snapshots';

/**
 * Returns coverage, options, nodes and cost of a snapshot. Errors: `not_found`, `snapshot_unreadable`;
 * `snapshot_fetching`, `snapshot_elsewhere` and those of the object store when it has to be downloaded.
 */
export const getSnapshot = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (_actor: Actor, id: string): Promise<SnapshotManifest> => {
    if ((await store.getSnapshotRow(id)) === null)
      throw new AppError('not_found', 'There is no such snapshot. It may have outlived the retention setting.', { id });
    await bringSnapshot(id);
    return readManifest(getSnapshotFolder(id));
  },
);
