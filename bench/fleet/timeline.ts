import { percentile } from '../figures/percentile';
import { claimDelays } from './fleet-figures';
import type { LeaseEvent } from './lease-log';

export interface TimeSlice {
  atSeconds: number;
  /** Of what was asked for in this time. */
  claimP95Ms: number | null;
  /** Of pages asked for in this time. */
  pageP95Ms: number | null;
  /** So many places were taken at once. */
  maxHeld: number;
}

interface Seen {
  events: readonly LeaseEvent[];
  jobs: readonly { id: string; createdMs: number }[];
  pages: readonly { atMs: number; ms: number }[];
}

/** One slice after the other, from `fromMs` until the last event. */
export function timelineOf(
  { events, jobs, pages }: Seen,
  { fromMs, everyMs }: { fromMs: number; everyMs: number },
): TimeSlice[] {
  const sliceOf = (atMs: number) => Math.max(0, Math.floor((atMs - fromMs) / everyMs));
  const last = events.reduce((max, { atMs }) => Math.max(max, sliceOf(atMs)), -1);
  const max = Array.from({ length: last + 1 }, () => 0);
  const held = new Set<string>();
  let slice = 0;
  for (const { atMs, job, owner } of events) {
    // What was held at the end of a slice is held at the beginning of the next.
    for (; slice < sliceOf(atMs); ) max[++slice] = held.size;
    if (owner === null) held.delete(job);
    else held.add(job);
    max[slice] = Math.max(max[slice] ?? 0, held.size);
  }
  return max.map((maxHeld, at) => {
    const delays = claimDelays(events, jobs, (createdMs) => sliceOf(createdMs) === at);
    const pageMs = pages.filter(({ atMs }) => sliceOf(atMs) === at).map(({ ms }) => ms);
    return { atSeconds: (at * everyMs) / 1000, claimP95Ms: p95(delays), pageP95Ms: p95(pageMs), maxHeld };
  });
}

function p95(ms: readonly number[]): number | null {
  const at = percentile(ms, 0.95);
  return at === null ? null : Math.round(at);
}
