import type { Job } from '@/lib/model/job';
import { findJobs, readStoreNow } from '@/lib/store/jobs';
import { getStoreId } from '@/lib/store/open-store';

/** Jobs that have changed, shared by streams that look at about the same time. */
export interface ChangedJobs {
  /** Epoch ms by the clock of the store, read before the jobs were. */
  now: number;
  jobs: Job[];
  /** True: `jobs` has everything that changed. False: there is more than MAX_CHANGED. */
  isWhole: boolean;
}

/** One answer serves all streams of this process for this many ms. Streams look twice a second. */
const SHARED_MS = 250;
/**
 * The query starts this many ms earlier than asked, because another stream that shares the answer may have looked that
 * much earlier.
 */
const EARLIER_MS = 2000;
export const MAX_CHANGED = 1000;

interface Look {
  store: string;
  begun: number;
  since: number;
  found: Promise<ChangedJobs>;
}
const state: { last: Look | null } = { last: null };

/** Returns the jobs that were written at or after `since`, epoch ms by the clock of the store; some may be older. */
export function readChangedJobs(since: number): Promise<ChangedJobs> {
  const { last } = state;
  const [store, begun] = [getStoreId(), performance.now()];
  if (last?.store === store && begun - last.begun < SHARED_MS && last.since <= since) return last.found;
  const look: Look = { store, begun, since: since - EARLIER_MS, found: ask(since - EARLIER_MS) };
  state.last = look;
  look.found.catch(() => {
    if (state.last === look) state.last = null;
  });
  return look.found;
}

async function ask(updatedSince: number): Promise<ChangedJobs> {
  const now = await readStoreNow();
  const jobs = await findJobs({ updatedSince, limit: MAX_CHANGED });
  return { now, jobs, isWhole: jobs.length < MAX_CHANGED };
}
