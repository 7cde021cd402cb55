import type { Job } from '@/lib/model/job';
import { findJobs, storeNow } from '@/lib/store/jobs';
import { storeId } from '@/lib/store/open-store';

/** What has changed, as streams see it that look at the same moment. */
export interface ChangedJobs {
  /** By the clock of the store, before it was asked. */
  now: number;
  jobs: Job[];
  /** Everything that has changed; else there is more than is asked for at once. */
  isWhole: boolean;
}

/** Streams look twice a second; so long one answer serves all of this process. */
const SHARED_MS = 250;
/** Asked for a little further back: another stream may have looked that much earlier. */
const EARLIER_MS = 2000;
export const MAX_CHANGED = 1000;

interface Look {
  store: string;
  begun: number;
  since: number;
  found: Promise<ChangedJobs>;
}
const state: { last: Look | null } = { last: null };

/** The jobs that were written at or after `since`, a moment of the store's clock; some may be older. */
export function changedJobs(since: number): Promise<ChangedJobs> {
  const { last } = state;
  const [store, begun] = [storeId(), performance.now()];
  if (last?.store === store && begun - last.begun < SHARED_MS && last.since <= since) return last.found;
  const look: Look = { store, begun, since: since - EARLIER_MS, found: ask(since - EARLIER_MS) };
  state.last = look;
  look.found.catch(() => {
    if (state.last === look) state.last = null;
  });
  return look.found;
}

async function ask(updatedSince: number): Promise<ChangedJobs> {
  const now = await storeNow();
  const jobs = await findJobs({ updatedSince, limit: MAX_CHANGED });
  return { now, jobs, isWhole: jobs.length < MAX_CHANGED };
}
