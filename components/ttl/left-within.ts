import type { FilterPatch } from '@/components/reports/filter/filter-params';

/** Expiries are known to the millisecond. */
const STEP_SECONDS = 0.001;

/**
 * The keys of a bucket of remaining TTLs: half-open, and of what is still to expire. A filter counts both its bounds,
 * and without a lower one it has what expired before the scan ended.
 */
export const leftWithin = (fromSeconds: number, toSeconds: number | null): FilterPatch => ({
  expiry: 'any',
  ttlMin: Math.max(STEP_SECONDS, fromSeconds),
  ttlMax: toSeconds === null ? undefined : toSeconds - STEP_SECONDS,
});
