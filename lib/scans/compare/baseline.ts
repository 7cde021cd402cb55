import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { getSnapshotRow, setBaselineRow } from '@/lib/store/snapshots';

/**
 * Makes a snapshot the baseline of its instance, so that findings can be narrowed to what is new since it. null: the
 * instance has none any more. Only a complete snapshot of the whole keyspace can be one, because keys that it lacks
 * would be new. Errors: `not_found`, `bad_request`.
 */
export const setBaseline = verb(
  { needs: 'policy.edit', on: scopeToInstance, action: 'snapshot.baseline' },
  async (actor: Actor, instanceId: string, snapshotId: string | null): Promise<{ baseline: string | null }> => {
    await runTransaction(async (tx) => {
      if ((await getInstanceRow(instanceId, tx)) === null)
        throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
      const row = snapshotId === null ? null : await getSnapshotRow(snapshotId, tx);
      if (snapshotId !== null && row?.instanceId !== instanceId)
        throw new AppError('not_found', 'This instance has no such snapshot.', { id: snapshotId });
      if (row && (row.state !== 'sealed' || row.partial || row.isPart))
        throw new AppError(
          'bad_request',
          'A baseline must be a complete snapshot of the whole keyspace: keys that it lacks would count as new.',
          { reason: 'partialBaseline' },
        );
      await setBaselineRow(instanceId, snapshotId, tx);
      await recordAudit(tx, {
        actor,
        action: 'snapshot.baseline',
        subject: snapshotId ?? instanceId,
        instanceId,
        outcome: 'done',
        details: { snapshot: snapshotId },
      });
    });
    return { baseline: snapshotId };
  },
);
