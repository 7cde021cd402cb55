import { findUntakenJobs, type UntakenJob } from '@/lib/store/claims/untaken-jobs';
import { getStoreId } from '@/lib/store/open-store';

/** The jobs that no live process works on, by their id. */
export type UntakenJobs = ReadonlyMap<string, UntakenJob>;

/** An answer is reused for this many ms: streams and lists need it often, and processes start and end rarely. */
const FRESH_MS = 2_000;

interface Query {
  store: string;
  /** Time by performance.now, ms. */
  begun: number;
  answer: Promise<UntakenJobs>;
}
let last: Query | null = null;

/** Returns the queued jobs that no live process takes now, and the running ones whose process is silent. */
export function readUntakenJobs(): Promise<UntakenJobs> {
  const [store, begun] = [getStoreId(), performance.now()];
  if (last?.store === store && begun - last.begun < FRESH_MS) return last.answer;
  const answer = findUntakenJobs().then((jobs) => new Map(jobs.map((job) => [job.id, job])));
  const query: Query = { store, begun, answer };
  last = query;
  // An error is not reused.
  answer.catch(() => {
    if (last === query) last = null;
  });
  return answer;
}
