import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { runTransaction } from '@/lib/store/open-store';
import { getSnapshotRow, updateSnapshot } from '@/lib/store/snapshots';

/**
 * Pins a sealed snapshot, which is then kept whatever its age, or unpins it. Errors: `not_found`, `conflict` (not
 * sealed).
 */
export const pinSnapshot = verb(
  { needs: 'snapshot.remove', on: scopeToSnapshot, action: 'snapshot.pin' },
  (actor: Actor, id: string, pinned: boolean): Promise<SnapshotSummary> =>
    runTransaction(async (tx) => {
      const row = await getSnapshotRow(id, tx);
      if (row === null) throw new AppError('not_found', 'There is no such snapshot.', { id });
      if (row.state !== 'sealed')
        throw new AppError('conflict', 'Only a complete snapshot can be pinned. Wait for the end of its scan.', { id });
      const action = pinned ? 'snapshot.pin' : 'snapshot.unpin';
      await recordAudit(tx, { actor, action, subject: id, instanceId: row.instanceId });
      await updateSnapshot(id, { pinned }, tx);
      return { ...row, pinned };
    }),
);
