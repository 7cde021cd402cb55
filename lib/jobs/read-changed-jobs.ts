import type { Job } from '@/lib/model/job';
import { findJobs, readStoreNow } from '@/lib/store/jobs';
import { getStoreId } from '@/lib/store/open-store';

/** The jobs that have changed. One answer serves all streams that ask at about the same time. */
interface ChangedJobs {
  /** Epoch ms by the clock of the store, read before the jobs were. */
  now: number;
  jobs: Job[];
  /** True: `jobs` has everything that changed. False: there is more than MAX_CHANGED. */
  isComplete: boolean;
}

/** One answer serves all streams of this process for this many ms. Each stream reads twice a second. */
const SHARE_ANSWER_MS = 250;
/**
 * The query starts this many ms earlier than the first stream requests, because the last query of another stream that
 * shares the answer may be that much older.
 */
const QUERY_EARLIER_MS = 2000;
/** The most jobs that one answer has. */
export const MAX_CHANGED = 1000;

interface SharedQuery {
  store: string;
  /** Time by performance.now, ms. */
  begunAt: number;
  since: number;
  answer: Promise<ChangedJobs>;
}
let lastQuery: SharedQuery | null = null;

/** Returns the jobs that were written at or after `since`, epoch ms by the clock of the store; some may be older. */
export function readChangedJobs(since: number): Promise<ChangedJobs> {
  const [store, begunAt] = [getStoreId(), performance.now()];
  if (lastQuery?.store === store && begunAt - lastQuery.begunAt < SHARE_ANSWER_MS && lastQuery.since <= since)
    return lastQuery.answer;
  const query: SharedQuery = {
    store,
    begunAt,
    since: since - QUERY_EARLIER_MS,
    answer: findChangedJobs(since - QUERY_EARLIER_MS),
  };
  lastQuery = query;
  // An error is not shared: the next stream repeats the query.
  query.answer.catch(() => {
    if (lastQuery === query) lastQuery = null;
  });
  return query.answer;
}

async function findChangedJobs(updatedSince: number): Promise<ChangedJobs> {
  const now = await readStoreNow();
  const jobs = await findJobs({ updatedSince, limit: MAX_CHANGED });
  return { now, jobs, isComplete: jobs.length < MAX_CHANGED };
}
