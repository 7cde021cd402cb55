import { percentile } from '../soak/rss-slope';
import { claimDelays } from './fleet-figures';
import type { LeaseEvent } from './lease-log';

export interface TimeSlice {
  atSeconds: number;
  /** Of what was asked for in this time. */
  claimP95Ms: number | null;
  /** So many places were taken at once. */
  maxHeld: number;
}

/** One slice after the other, from `fromMs` until the last event. */
export function timelineOf(
  events: readonly LeaseEvent[],
  jobs: readonly { id: string; createdMs: number }[],
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
    const p95 = percentile(delays, 0.95);
    return { atSeconds: (at * everyMs) / 1000, claimP95Ms: p95 === null ? null : Math.round(p95), maxHeld };
  });
}
