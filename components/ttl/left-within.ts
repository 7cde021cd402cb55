import type { FilterPatch } from '@/components/reports/filter/filter-params';

/** Expiries are known to the millisecond. */
const STEP_SECONDS = 0.001;
const MINUTE_SECONDS = 60;

/**
 * The keys of a bucket of remaining TTLs: half-open, and of what is still to expire. A filter counts both its bounds,
 * and without a lower one it has what expired before the scan ended.
 */
export const leftWithin = (fromSeconds: number, toSeconds: number | null): FilterPatch => ({
  expiry: 'any',
  ttlMin: Math.max(STEP_SECONDS, fromSeconds),
  ttlMax: toSeconds === null ? undefined : toMilliseconds(toSeconds - STEP_SECONDS),
});

/**
 * The keys of a storm: of one minute of the clock, out of those that are looked at. A prefix that was asked for may be
 * longer than the one by which storms are distinguished, and names without a delimiter have none.
 */
export function inStorm(storm: { minute: number; prefix: string }, asOf: number, asked: string | undefined) {
  const from = (storm.minute - asOf) / 1000;
  const prefix = asked?.startsWith(storm.prefix) || storm.prefix === '' ? {} : { prefix: storm.prefix, exact: null };
  return { ...prefix, ...leftWithin(from, from + MINUTE_SECONDS) } satisfies FilterPatch;
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
