import type { Job, WaitReason } from '@/lib/model/job';
import { storeReadOnly } from '@/lib/store/keep-probing';
import { type UntakenJobs, untakenJobs } from './untaken-jobs';

const GOING_ON = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * The job as it is while its store cannot be written: it waits, whatever the row says, which nobody can change. A
 * request to pause or cancel stays in sight. And one that is queued for a label that no process has says so: nobody is
 * there who would write it.
 */
function asItWaits(job: Job, untaken: UntakenJobs): Job {
  const refused = GOING_ON.has(job.state) ? storeReadOnly() : null;
  if (refused !== null) {
    const reason = { code: 'store_read_only' as const, params: { cause: refused.cause }, since: refused.since };
    // A queued one has no run that waits; its reason says enough.
    return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
  }
  const label = job.state === 'queued' ? untaken.get(job.id) : undefined;
  return label === undefined ? job : { ...job, reason: noTaker(label, job.updatedAt) };
}

const noTaker = (label: string | null, since: number): WaitReason =>
  label === null
    ? { code: 'no_worker_without_label', params: {}, since }
    : { code: 'no_worker_with_label', params: { label }, since };

const NONE: UntakenJobs = new Map();

/** The same of several. */
export async function asTheyWait(jobs: readonly Job[]): Promise<Job[]> {
  const untaken = jobs.some(({ state }) => state === 'queued') ? await untakenJobs() : NONE;
  return jobs.map((job) => asItWaits(job, untaken));
}
