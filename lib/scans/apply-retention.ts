import { recordAudit } from '@/lib/access/audit/record';
import { ENGINE } from '@/lib/model/actor';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { config } from '@/lib/runtime/config';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { removeStoredSnapshot } from '@/lib/snapshots/remote/remove-stored-snapshot';
import { runTransaction } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { deleteSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';

const DAY_MS = 86_400_000;

/**
 * Returns the snapshots that are older than the retention setting allows. The newest sealed one always stays. What a
 * failed scan left expires once a later scan has sealed. Snapshots of a part of the keyspace are counted separately, so
 * that they never displace the newest snapshot of the whole.
 */
export function findExpiredSnapshots(
  newestFirst: SnapshotSummary[],
  keep: { count: number; days: number },
  now: number,
): SnapshotSummary[] {
  const sealed = newestFirst.filter(({ state }) => state === 'sealed');
  const newestSealedAt = sealed[0]?.startedAt ?? Number.NEGATIVE_INFINITY;
  const failed = newestFirst.filter(({ state, startedAt }) => state === 'failed' && startedAt < newestSealedAt);
  // 0 days: snapshots expire only by their number.
  const isTooOld = ({ startedAt }: SnapshotSummary) => keep.days > 0 && now - startedAt > keep.days * DAY_MS;
  const expired = [sealed.filter(({ isPart }) => !isPart), sealed.filter(({ isPart }) => isPart)].flatMap((sameScope) =>
    sameScope.filter((snapshot, index) => index > 0 && (index >= keep.count || isTooOld(snapshot))),
  );
  return [...expired, ...failed];
}

/** Deletes expired snapshots: first the row, together with an audit row, then the folder. */
export async function applyRetention(instanceId: string): Promise<void> {
  const expired = findExpiredSnapshots(
    await listSnapshotRows(instanceId),
    { count: config.retentionCount, days: config.retentionDays },
    // A clock that jumps must not make every snapshot old at once.
    Math.min(Date.now(), await readObservedNow()),
  );
  for (const snapshot of expired) {
    await runTransaction(async (tx) => {
      await deleteSnapshotRow(snapshot.id, tx);
      await recordAudit(tx, {
        actor: ENGINE,
        action: 'snapshot.expire',
        subject: snapshot.id,
        instanceId,
        outcome: 'done',
        details: { keys: snapshot.keys },
      });
    });
    await removeSnapshotFolder(getSnapshotFolder(snapshot.id));
    // Nothing waits for the object store, which may be slow: collectGarbage removes what is left there.
    void removeStoredSnapshot(snapshot.id);
  }
}
