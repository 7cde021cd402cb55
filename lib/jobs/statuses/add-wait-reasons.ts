import type { Job } from '@/lib/model/job';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { readUntakenJobs, type UntakenJobs } from './read-untaken-jobs';

const ACTIVE = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * Returns a job with the reason why it waits, if its row cannot tell it. While the store cannot be written, an active
 * job waits, whatever its row says; a requested pause or cancel stays visible. A queued job that no running process
 * takes gets that reason, because no process would write it. If no process runs at all, a reason of its row stays. A job
 * whose process is silent gets that reason too, and its speed and remaining time are unknown.
 */
function addWaitReason(job: Job, untaken: UntakenJobs): Job {
  const readOnly = ACTIVE.has(job.state) ? getStoreReadOnly() : null;
  if (readOnly !== null) {
    const reason = { code: 'store_read_only' as const, params: { cause: readOnly.cause }, since: readOnly.since };
    // A queued job has no run that waits, so it stays queued; its reason is enough.
    return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
  }
  const found = untaken.get(job.id);
  if (found?.code === 'worker_silent') {
    if (job.state !== 'running' && job.state !== 'waiting') return job;
    const progress = job.progress && { ...job.progress, ratePerSecond: null, etaSeconds: null };
    return { ...job, progress, reason: { code: found.code, params: {}, since: job.updatedAt } };
  }
  if (job.state !== 'queued') return job;
  if (found === undefined || (found.code === 'no_worker' && job.reason !== null)) return job;
  const params: Record<string, string | number> = found.code === 'no_place' ? { places: found.places } : {};
  if (found.label !== null) params.label = found.label;
  return { ...job, reason: { code: found.code, params, since: job.updatedAt } };
}

const NONE: UntakenJobs = new Map();

/** Returns several jobs with the reasons why they wait. */
export async function addWaitReasons(jobs: readonly Job[]): Promise<Job[]> {
  const untaken = jobs.some(({ state }) => ACTIVE.has(state)) ? await readUntakenJobs() : NONE;
  return jobs.map((job) => addWaitReason(job, untaken));
}
