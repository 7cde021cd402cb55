import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import { findStoredJobs } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';

/**
 * Throws `job_running` if the instance has an active job of the same kind. Two scans of one server would double the
 * load on it.
 */
export async function refuseSecondActiveJob(job: Job, tx: Tx): Promise<void> {
  if (job.instanceId === null) return;
  const query = { instanceId: job.instanceId, kind: job.kind, states: ACTIVE_STATES };
  const other = (await findStoredJobs(query, tx)).find((found) => found.job.id !== job.id);
  if (!other) return;
  throw new AppError('job_running', `Another ${job.kind} of this instance is ${other.job.state}.`, {
    job: other.job.id,
    kind: job.kind,
    state: other.job.state,
    instance: job.instanceName ?? job.instanceId,
  });
}
