import type { FilterPatch } from '@/components/reports/filter/filter-params';

/** Expiries are exact to the millisecond, so this is the difference between `<` and `≤`. */
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
 * The filter for the keys of a storm: one minute of the clock, within the current filter. The current prefix is kept if
 * it is longer than the prefix by which storms are grouped, or if the storm has none ('', names without a delimiter).
 */
export function buildStormFilter(storm: { minute: number; prefix: string }, asOf: number, current: string | undefined) {
  const from = (storm.minute - asOf) / 1000;
  const keepsPrefix = storm.prefix === '' || current?.startsWith(storm.prefix);
  return {
    ...(keepsPrefix ? {} : { prefix: storm.prefix, exact: null }),
    ...buildTtlFilter(from, from + MINUTE_SECONDS),
  } satisfies FilterPatch;
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
