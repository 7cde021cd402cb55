import type { Job } from '@/lib/model/job';
import { findJobs, readStoreNow } from '@/lib/store/jobs';
import { getStoreId } from '@/lib/store/open-store';

/** The jobs that have changed. One answer serves all streams that ask at about the same time. */
interface ChangedJobs {
  /** Epoch ms by the clock of the store, read before the jobs were. */
  now: number;
  jobs: Job[];
  /** True: `jobs` has everything that changed. False: there is more than MAX_CHANGED. */
  isWhole: boolean;
}

/** One answer serves all streams of this process for this many ms. Each stream asks twice a second. */
const SHARED_MS = 250;
/**
 * The query starts this many ms earlier than the first stream requests, because the last query of another stream that
 * shares the answer may be that much older.
 */
const EARLIER_MS = 2000;
/** The most jobs that one answer has. */
export const MAX_CHANGED = 1000;

interface Query {
  store: string;
  /** Time by performance.now, ms. */
  begun: number;
  since: number;
  answer: Promise<ChangedJobs>;
}
let last: Query | null = null;

/** Returns the jobs that were written at or after `since`, epoch ms by the clock of the store; some may be older. */
export function readChangedJobs(since: number): Promise<ChangedJobs> {
  const [store, begun] = [getStoreId(), performance.now()];
  if (last?.store === store && begun - last.begun < SHARED_MS && last.since <= since) return last.answer;
  const query: Query = { store, begun, since: since - EARLIER_MS, answer: findChangedJobs(since - EARLIER_MS) };
  last = query;
  // An error is not shared: the next stream asks again.
  query.answer.catch(() => {
    if (last === query) last = null;
  });
  return query.answer;
}

async function findChangedJobs(updatedSince: number): Promise<ChangedJobs> {
  const now = await readStoreNow();
  const jobs = await findJobs({ updatedSince, limit: MAX_CHANGED });
  return { now, jobs, isWhole: jobs.length < MAX_CHANGED };
}
