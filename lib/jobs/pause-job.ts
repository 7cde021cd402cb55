import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import { assertTransition } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';

/**
 * Requests that a job pause: a running job becomes `pausing`, and `paused` at its next safe point; a queued job is
 * paused at once. Errors: `not_found`, `conflict` when the job has ended.
 */
export const pauseJob = verb(
  { needs: 'job.control', on: scopeToJob, action: 'job.pause' },
  (actor: Actor, id: string): Promise<Job> =>
    runTransaction(async (tx) => {
      const { job } = await getStoredJobOrThrow(id, tx);
      // A repeated request changes nothing.
      if (job.state === 'pausing' || job.state === 'paused') return job;
      const state = job.state === 'queued' ? 'paused' : 'pausing';
      assertTransition(id, job.state, state);
      const details = { from: job.state };
      await recordAudit(tx, { action: 'job.pause', subject: id, actor, instanceId: job.instanceId, details });
      const reason = { code: 'operator' as const, params: { by: actor.name }, since: Date.now() };
      await updateJob(id, { state, reason }, tx);
      return (await getStoredJobOrThrow(id, tx)).job;
    }),
);
