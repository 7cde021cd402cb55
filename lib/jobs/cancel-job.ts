import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { updateJob } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';

/**
 * Requests that a running job stop permanently; a job that does not run is cancelled at once. The engine then deletes
 * what the job has written. Errors: `not_found`, `conflict` when the job has ended.
 */
export const cancelJob = verb(
  { needs: 'job.control', on: scopeToJob, action: 'job.cancel' },
  (actor: Actor, id: string): Promise<Job> => runTransaction((tx) => endJob(actor, id, tx)),
);

/** Like `cancelJob`, as part of another action that has checked the permission. */
export async function endJob(actor: Actor, id: string, tx: Tx): Promise<Job> {
  const { job } = await getStoredJobOrThrow(id, tx);
  if (job.state === 'cancelling' || job.state === 'cancelled') return job;
  const isHeld = HELD_STATES.includes(job.state);
  assertTransition(id, job.state, isHeld ? 'cancelling' : 'cancelled');
  const details = { from: job.state };
  await recordAudit(tx, { action: 'job.cancel', subject: id, actor, instanceId: job.instanceId, details });
  if (isHeld) await updateJob(id, { state: 'cancelling' }, tx);
  else await updateJob(id, { state: 'cancelled', endedAt: Date.now(), reason: null, discardPending: true }, tx);
  return (await getStoredJobOrThrow(id, tx)).job;
}
