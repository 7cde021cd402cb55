import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job, Speed } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import { updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';

/**
 * Changes the speed of a job. It takes effect within about a second, also while the job runs. Errors: `not_found`,
 * `conflict` when the job has ended.
 */
export const setJobSpeed = verb(
  { needs: 'job.control', on: scopeToJob, action: 'job.speed' },
  (actor: Actor, id: string, speed: Speed): Promise<Job> =>
    runTransaction(async (tx) => {
      const { job } = await getStoredJobOrThrow(id, tx);
      if (ENDED_STATES.includes(job.state))
        throw new AppError('conflict', `This job is ${job.state}.`, { job: id, from: job.state });
      if (job.speed === speed) return job;
      const details = { from: job.speed, to: speed };
      await recordAudit(tx, { action: 'job.speed', subject: id, actor, instanceId: job.instanceId, details });
      await updateJob(id, { speed }, tx);
      return (await getStoredJobOrThrow(id, tx)).job;
    }),
);
