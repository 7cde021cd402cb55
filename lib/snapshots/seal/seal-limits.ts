import { SEALED_AT_ONCE } from '@/lib/snapshots/query/lanes';

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
  rangeRows: number;
  rangeBytes: number;
  fileGroupRows: number;
  /** Runs and ranges at work beside each other, each with one thread: writing is a matter of one. */
  atOnce: number;
}

/** 100M keys are 50 runs and 200 ranges. Parts hold 250,000 rows and a few: eight of them are a run, or two. */
export const SEAL_LIMITS: SealLimits = {
  runRows: 2_100_000,
  runBytes: 400 * 1024 * 1024,
  shortRunRows: 525_000,
  runParts: 64,
  runGroupRows: 32_768,
  directRows: 250_000,
  rangeRows: 500_000,
  rangeBytes: 100 * 1024 * 1024,
  fileGroupRows: 65_536,
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
/** Of a part; those of usual names have 60 to 80. A part is never less than a run. */
const SMALL_ROW_BYTES = 128;

export const limitsFor = (rows: number, rowBytes: number): SealLimits =>
  rows <= SMALL_ROWS && rowBytes <= SMALL_ROW_BYTES ? SMALL_LIMITS : SEAL_LIMITS;
