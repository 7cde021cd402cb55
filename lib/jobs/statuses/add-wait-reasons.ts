import type { Job } from '@/lib/model/job';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { readUntakenJobs, type UntakenJobs } from './read-untaken-jobs';

const STATES_THAT_WAIT = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * Returns a job with the reason why it waits, if its row does not have that reason. While the store cannot be written,
 * an active job waits, whatever its row says; a requested pause or cancel stays visible. A queued job that no running
 * process takes gets that reason, because no process would write it. If no process runs at all, a reason of its row
 * stays. A job whose process is silent gets that reason too, and its speed and remaining time are unknown.
 */
function addWaitReason(job: Job, untakenJobs: UntakenJobs): Job {
  const readOnly = STATES_THAT_WAIT.has(job.state) ? getStoreReadOnly() : null;
  if (readOnly !== null) {
    const reason = { code: 'store_read_only' as const, params: { cause: readOnly.cause }, since: readOnly.since };
    // A queued job has no run that waits, so it stays queued; its reason is enough.
    return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
  }
  const untakenJob = untakenJobs.get(job.id);
  if (untakenJob?.code === 'worker_silent') {
    if (job.state !== 'running' && job.state !== 'waiting') return job;
    const progress = job.progress && { ...job.progress, ratePerSecond: null, etaSeconds: null };
    return { ...job, progress, reason: { code: untakenJob.code, params: {}, since: job.updatedAt } };
  }
  if (job.state !== 'queued') return job;
  if (untakenJob === undefined || (untakenJob.code === 'no_worker' && job.reason !== null)) return job;
  const params: Record<string, string | number> = untakenJob.code === 'no_place' ? { places: untakenJob.places } : {};
  if (untakenJob.label !== null) params.label = untakenJob.label;
  return { ...job, reason: { code: untakenJob.code, params, since: job.updatedAt } };
}

const NO_UNTAKEN_JOBS: UntakenJobs = new Map();

/** Returns several jobs with the reasons why they wait. */
export async function addWaitReasons(jobs: readonly Job[]): Promise<Job[]> {
  const untakenJobs = jobs.some(({ state }) => STATES_THAT_WAIT.has(state)) ? await readUntakenJobs() : NO_UNTAKEN_JOBS;
  return jobs.map((job) => addWaitReason(job, untakenJobs));
}
