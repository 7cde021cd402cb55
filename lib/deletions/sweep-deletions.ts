import { removeArchives } from '@/lib/access/vault/archive-folder';
import { isEmergencyStopped } from '@/lib/deletions/executor/emergency-stop-state';
import { queueJob } from '@/lib/jobs/create-job';
import { readRestoredTime } from '@/lib/jobs/loop/park-restored-jobs';
import { ENGINE } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { ENDED_STATES } from '@/lib/model/job-states';
import { log } from '@/lib/runtime/log';
import { expireUndo, findDueForPurge, findSummarized } from '@/lib/store/deletions/deletion-due';
import { deleteItems, getStoredDeletion, type StoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { isWriteUserMissing } from '@/lib/store/instances';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { sweepPlans } from './discard-plan';

const SWEEP_EVERY_MS = 15_000;
/** A purge that failed or was cancelled begins again after this time, in ms. */
const PURGE_AGAIN_MS = 3_600_000;

/**
 * Starts the purge of keys whose quarantine is over, and deletes archives that can restore nothing any more. `until`:
 * ms of observed time.
 */
export async function sweepDeletions(until?: number): Promise<void> {
  // Observed time is used so that a clock that jumps ends no quarantine, and an archive is kept for as long as somebody
  // could have used it.
  const restoredAt = (await readRestoredTime()) ?? 0;
  const now = until ?? (await readObservedNow());
  for (const id of await findDueForPurge(now)) {
    const deletion = await getStoredDeletion(id);
    if (!deletion || isEmergencyStopped(deletion.plan.instanceId)) continue;
    const instance = await getProtectedInstance(deletion.plan.instanceId);
    if (!instance || instance.settings.readOnly || isWriteUserMissing(instance)) continue;
    if (await mustPurgeWait(deletion)) continue;
    try {
      await runTransaction(async (tx) => {
        const job = await queueJob(
          ENGINE,
          {
            kind: 'deletion',
            purpose: 'purge',
            instanceId: instance.id,
            instanceName: instance.settings.name,
            speed: deletion.plan.options.speed,
            params: { deletionId: id, action: 'purge' },
          },
          tx,
        );
        await updateDeletion(id, { jobId: job.id, action: 'purge' }, tx);
        // The deletion comes from a restored store: what it records may have been purged or undone since.
        const reason = { code: 'store_restored' as const, params: {}, since: Date.now() };
        if ((deletion.startedAt ?? 0) < restoredAt) await updateJob(job.id, { state: 'paused', reason }, tx);
      });
    } catch (error) {
      // Another deletion of the instance is under way: the next sweep tries again.
      if (!(error instanceof AppError) || error.code !== 'job_running') throw error;
    }
  }
  await sweepPlans(Math.min(now, Date.now()));
  await expireUndo(now);
  for (const id of await findSummarized())
    await removeExpiredArchives(id).catch((error) =>
      log().error({ deletion: id, err: error }, 'deletion.expire_failed'),
    );
}

/**
 * Deletes the archives of a deletion that can restore nothing any more, and then its items: while they exist, it is
 * found again after any interruption. Who deleted what, and how much, is kept in the row of the deletion and in the
 * audit log.
 */
async function removeExpiredArchives(id: string): Promise<void> {
  await removeArchives(id);
  log().info({ deletion: id }, 'deletion.archive_expired');
  await deleteItems(id);
}

/**
 * Whether a purge must wait. Nothing is purged while a deletion or an undo is paused: its remaining keys are still to
 * be handled. A purge that failed, or that a person cancelled, is not started again at once.
 */
async function mustPurgeWait({ action, jobId }: StoredDeletion): Promise<boolean> {
  const job = jobId ? (await getStoredJob(jobId))?.job : null;
  if (!job) return false;
  if (!ENDED_STATES.includes(job.state)) return true;
  const isUnfinishedPurge = action === 'purge' && (job.state === 'failed' || job.state === 'cancelled');
  const now = Date.now();
  return isUnfinishedPurge && (job.endedAt ?? now) > now - PURGE_AGAIN_MS;
}

/** Sweeps now and every 15 seconds. Returns a function that stops it. */
export function keepSweeping(): () => void {
  let isSweeping = false;
  const sweep = () => {
    if (isSweeping) return;
    isSweeping = true;
    sweepDeletions()
      .catch((error) => log().error({ err: error }, 'deletion.sweep_failed'))
      .finally(() => {
        isSweeping = false;
      });
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
