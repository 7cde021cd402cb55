import { join } from 'node:path';
import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { endJob } from '@/lib/jobs/cancel-job';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import type { Instance } from '@/lib/model/servers/instance';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { removeStoredSnapshot } from '@/lib/snapshots/remote/remove-stored-snapshot';
import { forgetInstanceAlerts } from '@/lib/store/alerts/alerts';
import { findOpenDeletions, holdClock, keepValueReadSettings } from '@/lib/store/deletions/deletion-holds';
import { deleteInstanceRow, type InstanceRow, toInstance } from '@/lib/store/instances';
import { findStoredJobs } from '@/lib/store/jobs';
import { forgetDestinations } from '@/lib/store/nodes/destinations';
import { forgetInstanceNodes, getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { forgetInstancePolicy } from '@/lib/store/policies/forget-instance-policy';
import { forgetInstanceRuns } from '@/lib/store/schedules/schedule-runs';
import { forgetEmergencyStop } from '@/lib/store/settings/emergency-stop';
import { deleteSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';
import { forgetTrends } from '@/lib/store/trends/trends';
import { requireInstanceRow } from './get-instance';

/**
 * Removes an instance, its secrets and its snapshots. Errors: `job_running` if a job works on it; `deletions_open` if
 * keys are tombstoned or can be restored, because nothing else could restore them. Paused jobs are cancelled. Its past
 * jobs and audit rows stay.
 */
export const removeInstance = verb(
  { needs: 'instance.manage', on: scopeToInstance, action: 'instance.remove', fresh: true },
  async (actor: Actor, id: string): Promise<Instance> => {
    const entry = { action: 'instance.remove', subject: id, instanceId: id };
    const { row, snapshots } = await runTransaction(async (tx) => {
      const row = await requireInstanceRow(id, tx);
      const { settings } = row;
      const [active] = await findStoredJobs({ instanceId: id, states: ACTIVE_STATES, limit: 1 }, tx);
      if (active)
        throw new AppError(
          'job_running',
          `A ${active.job.kind} of ${settings.name} is ${active.job.state}. Cancel it first.`,
          { job: active.job.id, kind: active.job.kind, state: active.job.state, instance: settings.name },
        );
      await refuseStranding(row, tx);
      for (const { job } of await findStoredJobs({ instanceId: id, states: ['paused'] }, tx))
        await endJob(actor, job.id, tx);
      const found = await listSnapshotRows(id, tx);
      for (const snapshot of found) await deleteSnapshotRow(snapshot.id, tx);
      await recordAudit(tx, { ...entry, actor, details: { name: settings.name, snapshots: found.length } });
      await forgetInstancePolicy(id, tx);
      await forgetTrends(id, tx);
      await forgetInstanceAlerts(id, tx);
      await forgetEmergencyStop(id, tx);
      await forgetDestinations(id, tx);
      await forgetInstanceRuns(id, tx);
      await keepValueReadSettings(id, (await getProtectedInstance(id, tx))?.settings ?? settings, tx);
      await deleteInstanceRow(id, tx);
      await forgetInstanceNodes(id, tx);
      return { row, snapshots: found };
    });
    for (const snapshot of snapshots) {
      await removeSnapshotFolder(join(config.snapshotsDir, snapshot.id)).catch((error) =>
        log().warn({ snapshot: snapshot.id, err: error }, 'snapshot.delete_failed'),
      );
      void removeStoredSnapshot(snapshot.id);
    }
    return toInstance(row);
  },
);

/** How many deletions the error names. */
const NAMED = 20;

/** Throws `deletions_open` if keys of the instance could no longer be restored without it. */
async function refuseStranding({ id, settings }: InstanceRow, tx: Tx): Promise<void> {
  const open = await findOpenDeletions(id, await holdClock(tx), tx);
  if (open.length === 0) return;
  const keys = open.reduce((sum, one) => sum + one.keys, 0);
  throw new AppError(
    'deletions_open',
    `${keys} keys of ${settings.name} are renamed (tombstones), wait for a review or can still be restored. Undo or end these ` +
      'deletions first.',
    { instance: settings.name, keys, deletions: open.slice(0, NAMED).map((one) => one.id) },
  );
}
