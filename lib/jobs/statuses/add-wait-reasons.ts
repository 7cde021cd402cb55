import type { Job } from '@/lib/model/job';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { readUntakenJobs, type UntakenJobs } from './read-untaken-jobs';

const ACTIVE = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * Returns a job with the reason why it waits, if its row cannot have that reason. While the store cannot be written, an
 * active job waits, whatever its row contains; a requested pause or cancel stays visible. A queued job that no running
 * process takes gets that as its reason, because there is no process that would write it. If no process runs at all, a
 * reason in the row stays.
 */
function addWaitReason(job: Job, untaken: UntakenJobs): Job {
  const readOnly = ACTIVE.has(job.state) ? getStoreReadOnly() : null;
  if (readOnly !== null) {
    const reason = { code: 'store_read_only' as const, params: { cause: readOnly.cause }, since: readOnly.since };
    // A queued job has no run that waits, so it stays queued; its reason is enough.
    return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
  }
  const why = job.state === 'queued' ? untaken.get(job.id) : undefined;
  if (why === undefined || (why.code === 'no_worker' && job.reason !== null)) return job;
  const params: Record<string, string> = why.label === null ? {} : { label: why.label };
  return { ...job, reason: { code: why.code, params, since: job.updatedAt } };
}

const NONE: UntakenJobs = new Map();

/** Returns several jobs with the reasons why they wait. */
export async function addWaitReasons(jobs: readonly Job[]): Promise<Job[]> {
  const untaken = jobs.some(({ state }) => state === 'queued') ? await readUntakenJobs() : NONE;
  return jobs.map((job) => addWaitReason(job, untaken));
}
