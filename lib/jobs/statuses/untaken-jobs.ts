import { findUntakenJobs } from '@/lib/store/claims/untaken-jobs';
import { storeId } from '@/lib/store/open-store';

/** By id, which label the instance wants; null = it names none. */
export type UntakenJobs = ReadonlyMap<string, string | null>;

/** Streams and lists ask all the time; processes come and go seldom. */
const FRESH_MS = 2_000;

interface Look {
  store: string;
  begun: number;
  found: Promise<UntakenJobs>;
}
const state: { last: Look | null } = { last: null };

/** Queued jobs that no process takes which is there, because of their label. */
export function untakenJobs(): Promise<UntakenJobs> {
  const [store, begun] = [storeId(), performance.now()];
  if (state.last?.store === store && begun - state.last.begun < FRESH_MS) return state.last.found;
  const found = findUntakenJobs().then((jobs) => new Map(jobs.map(({ id, label }) => [id, label])));
  const look: Look = { store, begun, found };
  state.last = look;
  found.catch(() => {
    if (state.last === look) state.last = null;
  });
  return found;
}
