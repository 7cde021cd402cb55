/**
 * The classes by which the roll-up distinguishes keys, as bounds and as SQL over the columns of a key. A class of
 * numbers is half-open, [bound, next bound). The bounds are those that reports draw and pages ask for. A filter with a
 * bound inside a class is answered from the keys.
 */

import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import { bigkeySql, perhapsBigkeySql, recognisedSql } from '@/lib/snapshots/query/bigkey-sql';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Bounds of the remaining time to live in seconds. */
export const TTL_BOUNDS = [
  0,
  1,
  10,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
/** Bounds of the idle time in seconds. */
export const IDLE_BOUNDS = [0, 60, 600, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 180 * DAY];
/** Bounds of the server's own access counter, 0…255. */
export const FREQ_BOUNDS = [0, 1, 2, 5, 10, 20, 50, 100, 200];
/** Bounds of the size in bytes: powers of two, and more bounds near the sizes that standards name. */
export const SIZE_BOUNDS = [
  ...[0, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 10_240, 16_384, 32_768, 65_536],
  ...[102_400, 131_072, 262_144, 524_288, 1_048_576, 4_194_304, 10_485_760, 16_777_216, 67_108_864, 268_435_456],
];

/**
 * Values of the column `ttl`: expiry unknown, no expiry, expired, or TTL_AHEAD plus the index of the class in
 * TTL_BOUNDS.
 */
export const TTL_UNKNOWN = 0;
export const TTL_NONE = 1;
export const TTL_EXPIRED = 2;
export const TTL_AHEAD = 3;
/**
 * In the column `idle` 0 means unknown. Classes of idle times follow, and from this number on classes of frequencies.
 */
export const FREQ_FIRST = 32;
/** Values of the column `big`, decided by bigkeySql, perhapsBigkeySql and recognisedSql; 0: none of them. */
export const BIG = 1;
export const PERHAPS_BIG = 2;
export const RECOGNISED = 3;

/** SQL for the index of the class of a value; NULL stays NULL. */
export const bucketSql = (value: string, bounds: readonly number[]): string =>
  `CASE WHEN ${value} IS NULL THEN NULL ELSE ${halvedSql(bounds.length, (i) => `${value} < ${bounds[i]}`, String)} END`;

/**
 * SQL that finds the range of a value among `count` ordered ranges by binary search. One after the other, most bounds
 * would be compared with each row, which costs more than reading it. NULL counts as in the last range.
 *
 * @param before SQL that is true if the value is before the i-th range; never called for the first range.
 */
function halvedSql(count: number, before: (i: number) => string, result: (i: number) => string): string {
  const buildCases = (from: number, to: number): string => {
    if (from === to) return result(from);
    const middle = (from + to + 1) >> 1;
    return `CASE WHEN ${before(middle)} THEN ${buildCases(from, middle - 1)} ELSE ${buildCases(middle, to)} END`;
  };
  return buildCases(0, count - 1);
}

export const ttlClassSql = (asOf: number) =>
  ttlStateSql(
    asOf,
    halvedSql(
      TTL_BOUNDS.length,
      (i) => `expire_at < ${asOf + TTL_BOUNDS[i]! * 1000}`,
      (i) => `${TTL_AHEAD + i}`,
    ),
  );

/** SQL for the class of a key in which `ahead` (SQL) is the class of every expiry that lies ahead. */
export const ttlStateSql = (asOf: number, ahead = `${TTL_AHEAD}`) =>
  `CASE WHEN expire_at > ${asOf} THEN ${ahead} WHEN NOT expiry_known THEN ${TTL_UNKNOWN} WHEN expire_at IS NULL THEN ${TTL_NONE} ELSE ${TTL_EXPIRED} END::UTINYINT`;

export const sizeClassSql = `(CASE WHEN bytes IS NULL THEN 0 ELSE 1 + ${bucketSql('bytes', SIZE_BOUNDS)} END)::UTINYINT`;

export const idleClassSql = `(CASE WHEN idle_seconds IS NOT NULL THEN 1 + ${bucketSql('idle_seconds', IDLE_BOUNDS)}
  WHEN freq IS NOT NULL THEN ${FREQ_FIRST} + ${bucketSql('freq', FREQ_BOUNDS)} ELSE 0 END)::UTINYINT`;

export const bigClassSql = (thresholds: BigkeyThresholds) =>
  `(CASE WHEN ${bigkeySql(thresholds)} THEN ${BIG} WHEN ${recognisedSql(thresholds)} THEN ${RECOGNISED}
  WHEN ${perhapsBigkeySql(thresholds)} THEN ${PERHAPS_BIG} ELSE 0 END)::UTINYINT`;

/**
 * SQL for the size step of a key, for percentiles: exact below 1 KiB, above with 64 steps to a doubling (at most 1.6 %
 * too small). A group has few different steps, and these are counted, so that no percentile keeps every value in
 * memory.
 */
export const sizeStepSql = `CASE WHEN bytes < 1024 THEN bytes
  ELSE bytes - bytes % (1::BIGINT << (floor(log2(bytes))::INTEGER - 6)) END`;

/**
 * Lengths of the steps in which moments of expiry are counted, for charts and medians. Each length is a multiple of
 * those before it, and each key is counted in the finest step that its distance allows. Whatever step is drawn, the
 * finer ones therefore add up to it exactly.
 */
const STEP_SECONDS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  10 * DAY,
  30 * DAY,
  360 * DAY,
];
/**
 * Each length reaches this many steps ahead, so that a chart of 500 points (ttl.ts) may begin and end within a step.
 */
const POINTS = 498;
export const TIME_STEPS = STEP_SECONDS.map((seconds) => ({ seconds, untilMs: seconds * 1000 * POINTS }));
/** The last step, which reaches to the latest possible expiry. */
const LAST_STEP = { seconds: 360 * 1000 * DAY, untilMs: MAX_EXPIRE_AT };
export const ALL_TIME_STEPS = [...TIME_STEPS, LAST_STEP];

/**
 * SQL for the moment at which a key is counted, as one number: the beginning of its step (epoch ms, a multiple of the
 * step) plus the index of the step, which is smaller than the length of any step. Expired keys are all counted at -1;
 * NULL without expiry.
 */
export const momentSql = (asOf: number) =>
  `CASE WHEN expire_at > ${asOf} THEN ${halvedSql(
    ALL_TIME_STEPS.length,
    (i) => `expire_at <= ${asOf + ALL_TIME_STEPS[i - 1]!.untilMs}`,
    (i) => `expire_at - expire_at % ${ALL_TIME_STEPS[i]!.seconds * 1000} + ${i}`,
  )} WHEN expire_at IS NOT NULL THEN -1 END`;

/** SQL for the columns `step` and `begins` from the column `moment`. Expired keys get step 0 and begin at `asOf`. */
export const momentPartsSql = (asOf: number) =>
  `(CASE WHEN moment < 0 THEN 0 ELSE moment % ${MINUTE * 1000} END)::UTINYINT AS step,
   CASE WHEN moment < 0 THEN ${asOf} ELSE moment - moment % ${MINUTE * 1000} END AS begins`;
