import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import { assertTransition } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import type { Job, WaitReason } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';

/**
 * Requests that a job pause: a running job becomes `pausing`, and `paused` at its next safe point; a queued job is
 * paused at once. Errors: `not_found`, `conflict` when the job has ended.
 */
export const pauseJob = verb(
  { needs: 'job.control', on: scopeToJob, action: 'job.pause' },
  (actor: Actor, id: string): Promise<Job> =>
    runTransaction((tx) => holdJob(actor, id, { code: 'operator', params: { by: actor.name } }, tx)),
);

/** Like `pauseJob`, as part of another action that has checked the permission, with the reason for the pause. */
export async function holdJob(actor: Actor, id: string, why: Omit<WaitReason, 'since'>, tx: Tx): Promise<Job> {
  const { job } = await getStoredJobOrThrow(id, tx);
  // A repeated request changes nothing.
  if (job.state === 'pausing' || job.state === 'paused') return job;
  const state = job.state === 'queued' ? 'paused' : 'pausing';
  assertTransition(id, job.state, state);
  const details = { from: job.state };
  await recordAudit(tx, { action: 'job.pause', subject: id, actor, instanceId: job.instanceId, details });
  await updateJob(id, { state, reason: { ...why, since: Date.now() } }, tx);
  return (await getStoredJobOrThrow(id, tx)).job;
}
