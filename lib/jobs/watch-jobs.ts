import { visibleInstanceIds, visibleInstances } from '@/lib/auth/verb-scopes';
import { getJob } from '@/lib/jobs/statuses/get-job';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import { findJobs, storeNow } from '@/lib/store/jobs';
import { storeReadOnly } from '@/lib/store/keep-probing';
import { changedJobs, MAX_CHANGED } from './changed-jobs';
import { listJobs } from './list-jobs';
import { asTheyWait } from './statuses/as-it-waits';
import { untakenJobs } from './statuses/untaken-jobs';

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

/** What of it somebody may see, and the moment at which it was asked for. */
async function changedSince(actor: Actor, updatedSince: number): Promise<{ now: number; jobs: Job[] }> {
  const { now, jobs, isWhole } = await changedJobs(updatedSince);
  // What others may see must not take the place of what this one may.
  if (!isWhole) {
    const instanceIds = await visibleInstanceIds(actor);
    return { now, jobs: await findJobs({ updatedSince, instanceIds, limit: MAX_CHANGED }) };
  }
  const changed = jobs.filter((job) => job.updatedAt >= updatedSince);
  const concerned = changed.flatMap(({ instanceId }) => instanceId ?? []);
  const sees = await visibleInstances(actor, [...new Set(concerned)]);
  return { now, jobs: changed.filter(({ instanceId }) => sees(instanceId)) };
}

/** All jobs that one may see: first those that have not ended, then whatever changes. */
export function watchJobs(actor: Actor): () => Promise<JobEvent> {
  const event = eventFilter();
  let since: number | null = null;
  let waits: string | null = null;
  return async () => {
    // Why they wait that wait for no run of theirs is written to no row.
    const said = JSON.stringify([storeReadOnly() !== null, ...(await untakenJobs())]);
    const turned = said !== waits;
    waits = said;
    if (since === null || turned) {
      const now = await storeNow();
      const jobs = await listJobs(actor, { active: true, limit: MAX_CHANGED });
      // What changed shortly before the stream began is in the overlap of the second question.
      since = now;
      return { items: event(jobs), done: false };
    }
    const { now, jobs } = await changedSince(actor, since - OVERLAP_MS);
    since = now;
    return { items: event(await asTheyWait(jobs)), done: false };
  };
}
