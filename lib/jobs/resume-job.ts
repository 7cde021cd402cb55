import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import { assertTransition } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import { isDeletingJob } from '@/lib/model/deletions/is-deleting-job';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

/**
 * Queues a paused or failed job again; it continues from its checkpoint. A job that deletes something from a production
 * instance requires the password, as its start did, because there was a reason to stop it: a person's, or a restored
 * backup. Errors: `not_found`, `conflict`, `job_running`.
 */
export const resumeJob = verb(
  { needs: 'job.control', on: scopeToJob, action: 'job.resume', fresh: isDeletingById },
  (actor: Actor, id: string): Promise<Job> => runTransaction((tx) => requeueJob(actor, id, tx)),
);

async function isDeletingById(id: string): Promise<boolean> {
  const stored = await getStoredJob(id);
  return stored !== null && isDeletingJob(stored.job.kind, stored.params);
}

/** Like `resumeJob`, as part of another action that has checked the permission. */
export async function requeueJob(actor: Actor, id: string, tx: Tx): Promise<Job> {
  const { job, discardPending } = await getStoredJobOrThrow(id, tx);
  if (job.state === 'queued') return job;
  if (discardPending)
    throw new AppError('conflict', 'Files of this job are still being deleted. Try again in a moment.', { job: id });
  // The engine may queue a running job again; a person may not. Running jobs may not become `paused` directly, so this
  // throws for them.
  const isRunning = job.state === 'running' || job.state === 'waiting';
  assertTransition(id, job.state, isRunning ? 'paused' : 'queued');
  await refuseSecondActiveJob(job, tx);
  const details = { from: job.state };
  await recordAudit(tx, { action: 'job.resume', subject: id, actor, instanceId: job.instanceId, details });
  await updateJob(id, { state: 'queued', reason: null, error: null, endedAt: null, takeovers: null }, tx);
  return (await getStoredJobOrThrow(id, tx)).job;
}
