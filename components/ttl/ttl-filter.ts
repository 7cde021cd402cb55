import type { FilterPatch } from '@/components/reports/filter/filter-params';

/** Expiries are exact to the millisecond. */
const STEP_SECONDS = 0.001;
const MINUTE_SECONDS = 60;

/**
 * The filter for a bucket of remaining TTLs. The bucket excludes its upper bound and contains only keys that have not
 * expired. A filter includes both bounds, and without a lower one it would include keys that expired before the scan
 * ended.
 */
export const buildTtlFilter = (fromSeconds: number, toSeconds: number | null): FilterPatch => ({
  expiry: 'any',
  ttlMin: Math.max(STEP_SECONDS, fromSeconds),
  ttlMax: toSeconds === null ? undefined : toMilliseconds(toSeconds - STEP_SECONDS),
});

/**
 * The filter for the keys of a storm: one minute of the clock, within the current filter. The current prefix may be
 * longer than the prefix by which storms are grouped, and names without a delimiter have none.
 */
export function buildStormFilter(storm: { minute: number; prefix: string }, asOf: number, asked: string | undefined) {
  const from = (storm.minute - asOf) / 1000;
  const prefix = asked?.startsWith(storm.prefix) || storm.prefix === '' ? {} : { prefix: storm.prefix, exact: null };
  return { ...prefix, ...buildTtlFilter(from, from + MINUTE_SECONDS) } satisfies FilterPatch;
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
