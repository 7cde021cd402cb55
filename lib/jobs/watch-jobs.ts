import { createVisibilityFilter, listVisibleInstanceIds } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { findJobs, readStoreNow } from '@/lib/store/jobs';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { listJobs } from './list-jobs';
import { MAX_CHANGED, readChangedJobs } from './read-changed-jobs';
import { addWaitReasons } from './statuses/add-wait-reasons';
import { readUntakenJobs } from './statuses/read-untaken-jobs';

/**
 * Each query starts this many ms before the last one. Other processes stamp their rows, by the clock of the store, a
 * little before they become visible.
 */
const QUERY_OVERLAP_MS = 5000;

/** Returns a filter that reports a job only if it differs from the last report; a new time stamp alone is no change. */
function createChangeFilter(): (jobs: Job[]) => Job[] {
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

/** Returns the changed jobs that the person may see, and the time of the query (epoch ms, clock of the store). */
async function readChangedSince(actor: Actor, updatedSince: number): Promise<{ now: number; jobs: Job[] }> {
  const { now, jobs, isComplete } = await readChangedJobs(updatedSince);
  // The list is cut at MAX_CHANGED, and jobs that the person may not see must not displace the others.
  if (!isComplete) {
    const instanceIds = await listVisibleInstanceIds(actor);
    return { now, jobs: await findJobs({ updatedSince, instanceIds, limit: MAX_CHANGED }) };
  }
  const changed = jobs.filter((job) => job.updatedAt >= updatedSince);
  const instanceIds = new Set(changed.flatMap(({ instanceId }) => instanceId ?? []));
  const maySee = await createVisibilityFilter(actor, [...instanceIds]);
  return { now, jobs: changed.filter(({ instanceId }) => maySee(instanceId)) };
}

/** Watches all jobs that the person may see: returns first those that have not ended, then every change. */
export function watchJobs(actor: Actor): () => Promise<{ items: Job[] }> {
  const selectChanged = createChangeFilter();
  /** When the store was last queried, epoch ms by its clock. */
  let lastQueryAt: number | null = null;
  let lastWaitReasons: string | null = null;
  return async () => {
    // These reasons to wait are in no row, so a change of them is noticed here.
    const waitReasons = JSON.stringify([getStoreReadOnly() !== null, ...(await readUntakenJobs())]);
    const haveReasonsChanged = waitReasons !== lastWaitReasons;
    lastWaitReasons = waitReasons;
    if (lastQueryAt === null || haveReasonsChanged) {
      const now = await readStoreNow();
      const jobs = await listJobs(actor, { active: true, limit: MAX_CHANGED });
      // Changes shortly before the stream began are within the overlap of the second query.
      lastQueryAt = now;
      return { items: selectChanged(jobs) };
    }
    const { now, jobs } = await readChangedSince(actor, lastQueryAt - QUERY_OVERLAP_MS);
    lastQueryAt = now;
    return { items: selectChanged(await addWaitReasons(jobs)) };
  };
}
