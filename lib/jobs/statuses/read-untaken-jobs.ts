import { findUntakenJobs, type UntakenJob } from '@/lib/store/claims/untaken-jobs';
import { getStoreId } from '@/lib/store/open-store';

/** The jobs that no live process works on, by their id. */
export type UntakenJobs = ReadonlyMap<string, UntakenJob>;

/** An answer is reused for this many ms: streams and lists need it often, and processes start and end rarely. */
const REUSE_MS = 2_000;

interface SharedQuery {
  store: string;
  /** Time by performance.now, ms. */
  begunAt: number;
  answer: Promise<UntakenJobs>;
}
let lastQuery: SharedQuery | null = null;

/** Returns the queued jobs that no live process takes now, and the running ones whose process is silent. */
export function readUntakenJobs(): Promise<UntakenJobs> {
  const [store, begunAt] = [getStoreId(), performance.now()];
  if (lastQuery?.store === store && begunAt - lastQuery.begunAt < REUSE_MS) return lastQuery.answer;
  const answer = findUntakenJobs().then((jobs) => new Map(jobs.map((job) => [job.id, job])));
  const query: SharedQuery = { store, begunAt, answer };
  lastQuery = query;
  // An error is not reused.
  answer.catch(() => {
    if (lastQuery === query) lastQuery = null;
  });
  return answer;
}
