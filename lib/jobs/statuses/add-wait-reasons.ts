import type { Job } from '@/lib/model/job';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { readUntakenJobs, type UntakenJobs } from './read-untaken-jobs';

const ACTIVE = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * Returns a job with the reason why it waits, if its row cannot tell it. While the store cannot be written, an active
 * job waits, whatever its row says; a requested pause or cancel stays visible. A queued job that no running process
 * takes gets that reason, because no process would write it. If no process runs at all, a reason of its row stays.
 */
function addWaitReason(job: Job, untaken: UntakenJobs): Job {
  const refused = ACTIVE.has(job.state) ? getStoreReadOnly() : null;
  if (refused !== null) {
    const reason = { code: 'store_read_only' as const, params: { cause: refused.cause }, since: refused.since };
    // A queued job has no run that waits, so it stays queued; its reason is enough.
    return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
  }
  const found = job.state === 'queued' ? untaken.get(job.id) : undefined;
  if (found === undefined || (found.code === 'no_worker' && job.reason !== null)) return job;
  const params: Record<string, string> = found.label === null ? {} : { label: found.label };
  return { ...job, reason: { code: found.code, params, since: job.updatedAt } };
}

const NONE: UntakenJobs = new Map();

/** Returns several jobs with the reasons why they wait. */
export async function addWaitReasons(jobs: readonly Job[]): Promise<Job[]> {
  const untaken = jobs.some(({ state }) => state === 'queued') ? await readUntakenJobs() : NONE;
  return jobs.map((job) => addWaitReason(job, untaken));
}
