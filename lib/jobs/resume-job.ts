import { recordAudit } from '@/lib/audit/record';
import { verb } from '@/lib/auth/verb';
import { ofJob } from '@/lib/auth/verb-scopes';
import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { assertTransition } from '@/lib/jobs/statuses/transition';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { type Tx, transaction } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

/** Queues a paused or failed job again; it goes on from its checkpoint. */
export const resumeJob = verb(
  { needs: 'job.control', on: ofJob, action: 'job.resume' },
  (actor: Actor, id: string): Promise<Job> => transaction((tx) => requeueJob(actor, id, tx)),
);

/** The same as a part of another act, which has asked whether it may. */
export async function requeueJob(actor: Actor, id: string, tx: Tx): Promise<Job> {
  const entry = { action: 'job.resume', subject: id };
  const { job, discardPending } = await storedJobOrThrow(id, tx);
  if (job.state === 'queued') return job;
  if (discardPending)
    throw new AppError('conflict', 'What this job left is still being removed. Try again in a moment.', { job: id });
  // The engine may put a running job back to queued; a person may not.
  if (job.state !== 'running' && job.state !== 'waiting') assertTransition(id, job.state, 'queued');
  else assertTransition(id, job.state, 'paused');
  await refuseSecondActiveJob(job, tx);
  await recordAudit(tx, { ...entry, actor, instanceId: job.instanceId, details: { from: job.state } });
  await updateJob(id, { state: 'queued', reason: null, error: null, endedAt: null }, tx);
  return (await storedJobOrThrow(id, tx)).job;
}
