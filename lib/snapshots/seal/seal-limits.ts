import { SEALED_AT_ONCE } from '@/lib/snapshots/query/lanes';
import { MAX_GROUP_BYTES } from './write-sorted';

/** How much is in memory at once. Tests seal with small ones. */
export interface SealLimits {
  /** Rows and bytes of the parts that are sorted together: what the memory of the database holds, spilling little. */
  runRows: number;
  runBytes: number;
  /** A run is a tenth of a snapshot at most, but for this: what is spilled is the run that is being sorted. */
  shortRunRows: number;
  /** Open files, and their tables of contents, which the database's limit does not count. */
  runParts: number;
  /** Small, so that a range reads little of what lies beside it in each run. */
  runGroupRows: number;
  /** So many are sorted at once without runs. */
  directRows: number;
  directBytes: number;
  rangeRows: number;
  rangeBytes: number;
  fileGroupRows: number;
  groupBytes: number;
  /** Runs and ranges at work beside each other, each with one thread: writing is a matter of one. */
  atOnce: number;
}

/**
 * 100M keys are 50 runs and 670 ranges. Parts hold 250,000 rows and a few: eight of them are a run, or two. A range
 * takes 230 bytes per usual row while it is sorted, and what is written 34 MB: two of 180,000 rows are what memory
 * holds. Two of these at once take half the time of one that is twice as large.
 */
export const SEAL_LIMITS: SealLimits = {
  runRows: 2_100_000,
  runBytes: 160 * 1024 * 1024,
  shortRunRows: 525_000,
  runParts: 64,
  runGroupRows: 32_768,
  directRows: 250_000,
  directBytes: 24 * 1024 * 1024,
  rangeRows: 150_000,
  rangeBytes: 28 * 1024 * 1024,
  fileGroupRows: 65_536,
  groupBytes: MAX_GROUP_BYTES,
  atOnce: SEALED_AT_ONCE,
};

/** Two runs or ranges fit into memory: nothing is spilled. */
const SMALL_LIMITS: SealLimits = {
  ...SEAL_LIMITS,
  runRows: 262_144,
  runBytes: 32 * 1024 * 1024,
  shortRunRows: 262_144,
  rangeRows: 131_072,
  rangeBytes: 24 * 1024 * 1024,
};
const SMALL_ROWS = 2_100_000;

export const limitsFor = (rows: number): SealLimits => (rows <= SMALL_ROWS ? SMALL_LIMITS : SEAL_LIMITS);

const MIN_RUN_BYTES = 4 * 1024 * 1024;

/** Where memory did not hold what these allow: half of it, one at a time. null: less would not help. */
export function halvedLimits(limits: SealLimits): SealLimits | null {
  if (limits.runBytes / 2 < MIN_RUN_BYTES) return null;
  const half = (count: number) => Math.max(1, Math.floor(count / 2));
  return {
    ...limits,
    runRows: half(limits.runRows),
    runBytes: half(limits.runBytes),
    shortRunRows: half(limits.shortRunRows),
    directRows: half(limits.directRows),
    directBytes: half(limits.directBytes),
    rangeRows: half(limits.rangeRows),
    rangeBytes: half(limits.rangeBytes),
    groupBytes: half(limits.groupBytes),
    atOnce: 1,
  };
}
