import { percentile } from '../figures/percentile';
import { claimDelays } from './fleet-figures';
import type { LeaseEvent } from './lease-log';

export interface TimeSlice {
  atSeconds: number;
  /** Waiting time of jobs that were created in this slice; null if there were none. */
  claimP95Ms: number | null;
  /** Response time of pages that were requested in this slice; null if there were none. */
  pageP95Ms: number | null;
  /** Greatest number of slots that were occupied at once. */
  maxHeld: number;
}

interface Seen {
  events: readonly LeaseEvent[];
  jobs: readonly { id: string; createdMs: number }[];
  pages: readonly { atMs: number; ms: number }[];
}

/** Returns one slice after the other, from `fromMs` until the last event. */
export function makeTimeline(
  { events, jobs, pages }: Seen,
  { fromMs, everyMs }: { fromMs: number; everyMs: number },
): TimeSlice[] {
  const findSlice = (atMs: number) => Math.max(0, Math.floor((atMs - fromMs) / everyMs));
  const last = events.reduce((max, { atMs }) => Math.max(max, findSlice(atMs)), -1);
  const max = Array.from({ length: last + 1 }, () => 0);
  const held = new Set<string>();
  let slice = 0;
  for (const { atMs, job, owner } of events) {
    // Jobs held at the end of a slice are held at the beginning of the next one.
    for (; slice < findSlice(atMs); ) max[++slice] = held.size;
    if (owner === null) held.delete(job);
    else held.add(job);
    max[slice] = Math.max(max[slice] ?? 0, held.size);
  }
  return max.map((maxHeld, at) => {
    const delays = claimDelays(events, jobs, (createdMs) => findSlice(createdMs) === at);
    const pageMs = pages.filter(({ atMs }) => findSlice(atMs) === at).map(({ ms }) => ms);
    return { atSeconds: (at * everyMs) / 1000, claimP95Ms: p95(delays), pageP95Ms: p95(pageMs), maxHeld };
  });
}

function p95(ms: readonly number[]): number | null {
  const at = percentile(ms, 0.95);
  return at === null ? null : Math.round(at);
}
