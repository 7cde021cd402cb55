import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { assertTransition } from '@/lib/jobs/statuses/transition';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { type Tx, transaction } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

/** Queues a paused or failed job again; it goes on from its checkpoint. */
export async function resumeJob(actor: Actor, id: string, outer?: Tx): Promise<Job> {
  const entry = { action: 'job.resume', subject: id };
  await requireRole(actor, 'operator', entry, outer);
  return transaction(async (tx) => {
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
  }, outer);
}
