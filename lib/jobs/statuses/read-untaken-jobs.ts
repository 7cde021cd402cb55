import { findUntakenJobs, type UntakenJob } from '@/lib/store/claims/untaken-jobs';
import { getStoreId } from '@/lib/store/open-store';

/** The queued jobs that no process takes, by their id. */
export type UntakenJobs = ReadonlyMap<string, UntakenJob>;

/** An answer is reused for this many ms: streams and lists need it often, and processes start and end rarely. */
const FRESH_MS = 2_000;

interface Look {
  store: string;
  begun: number;
  found: Promise<UntakenJobs>;
}
const state: { last: Look | null } = { last: null };

/** Returns the queued jobs that no running process will take. */
export function readUntakenJobs(): Promise<UntakenJobs> {
  const [store, begun] = [getStoreId(), performance.now()];
  if (state.last?.store === store && begun - state.last.begun < FRESH_MS) return state.last.found;
  const found = findUntakenJobs().then((jobs) => new Map(jobs.map((job) => [job.id, job])));
  const look: Look = { store, begun, found };
  state.last = look;
  found.catch(() => {
    if (state.last === look) state.last = null;
  });
  return found;
}
