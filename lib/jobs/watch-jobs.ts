import { visibleInstanceIds } from '@/lib/auth/verb-scopes';
import { getJob } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import { findStoredJobs, storeNow } from '@/lib/store/jobs';
import { storeReadOnly } from '@/lib/store/keep-probing';
import { listJobs } from './list-jobs';
import { asItWaits } from './statuses/as-it-waits';

/** Writers in other processes stamp their rows, by the clock of the store, a little before they become visible. */
const OVERLAP_MS = 5000;

export interface JobEvent {
  items: Job[];
  /** Nothing more will come. */
  done: boolean;
}

/** Remembers what was given and reports only what differs; the time stamp alone is no news. */
function eventFilter(): (jobs: Job[]) => Job[] {
  const reported = new Map<string, string>();
  return (jobs) =>
    jobs.filter((job) => {
      const { updatedAt: _, ...visible } = job;
      const text = JSON.stringify(visible);
      if (reported.get(job.id) === text) return false;
      reported.set(job.id, text);
      return true;
    });
}

/** One job: first as it is, then its changes, until it has ended. */
export function watchJob(actor: Actor, id: string): () => Promise<JobEvent> {
  const event = eventFilter();
  return async () => {
    const job = await getJob(actor, id);
    return { items: event([job]), done: ENDED_STATES.includes(job.state) };
  };
}

async function changedSince(actor: Actor, updatedSince: number): Promise<Job[]> {
  const instanceIds = await visibleInstanceIds(actor);
  return (await findStoredJobs({ updatedSince, instanceIds, limit: 1000 })).map((stored) => asItWaits(stored.job));
}

/** All jobs that one may see: first those that have not ended, then whatever changes. */
export function watchJobs(actor: Actor): () => Promise<JobEvent> {
  const event = eventFilter();
  let since: number | null = null;
  let refused = false;
  return async () => {
    const now = await storeNow();
    // That all of them wait, or do no more, is written to no row.
    const turned = (storeReadOnly() !== null) !== refused;
    refused = turned !== refused;
    const jobs =
      since === null || turned
        ? await listJobs(actor, { active: true, limit: 1000 })
        : await changedSince(actor, since - OVERLAP_MS);
    // What changed shortly before the stream began is in the overlap of the second question.
    since = now;
    return { items: event(jobs), done: false };
  };
}
