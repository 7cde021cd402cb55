import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { removeStoredSnapshot } from '@/lib/snapshots/remote/remove-stored-snapshot';
import { runTransaction } from '@/lib/store/open-store';
import { deleteSnapshotRow, getSnapshotRow } from '@/lib/store/snapshots';

/**
 * Deletes a sealed snapshot permanently. A live one belongs to its scan: cancel that instead (`conflict`). A baseline is
 * kept (`conflict`). Returns its
 * manifest; null: the manifest was damaged or not here, which does not prevent the deletion. Errors: `not_found`,
 * `conflict`.
 */
export const removeSnapshot = verb(
  { needs: 'snapshot.remove', on: scopeToSnapshot, action: 'snapshot.remove' },
  async (actor: Actor, id: string): Promise<SnapshotManifest | null> => {
    const manifest = await readManifest(getSnapshotFolder(id)).catch(() => null);
    await runTransaction(async (tx) => {
      const row = await getSnapshotRow(id, tx);
      if (row === null) throw new AppError('not_found', 'There is no such snapshot.', { id });
      if (row.state === 'live')
        throw new AppError('conflict', 'This snapshot is still being written. Cancel its scan instead.', { id });
      if (row.baseline)
        throw new AppError(
          'conflict',
          'This snapshot is the baseline of its instance. Choose another baseline first.',
          {
            id,
            reason: 'baseline',
          },
        );
      await deleteSnapshotRow(id, tx);
      await recordAudit(tx, {
        actor,
        action: 'snapshot.remove',
        subject: id,
        instanceId: row.instanceId,
        outcome: 'done',
        details: { keys: row.keys },
      });
    });
    await removeSnapshotFolder(getSnapshotFolder(id));
    void removeStoredSnapshot(id);
    return manifest;
  },
);
