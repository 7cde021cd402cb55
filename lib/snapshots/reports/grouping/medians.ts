import { ALL_TIME_STEPS, momentPartsSql, momentSql } from '@/lib/snapshots/rollup/classes';

/**
 * The step that contains the median moment of expiry of a label, computed from counted steps
 * (lib/snapshots/rollup/classes.ts) without keeping all moments in memory. The median is accurate to a minute for keys
 * that expire in the next eight hours, and to one in a hundred of the remaining time for later ones.
 */
export interface MedianRow extends Record<string, unknown> {
  label: string;
  step: number;
  begins: number;
}

/**
 * @param from SQL to put after FROM: rows with `label`, and `step`, `begins`, `n` (`momentsSql`).
 *
 * @returns a SELECT of each label with the step that contains its median
 */
export const mediansSql = (from: string): string =>
  `SELECT label, min_by(step, begins) AS step, min(begins) AS begins FROM (
     SELECT *, sum(n) OVER (PARTITION BY label ORDER BY begins) AS upto, sum(n) OVER (PARTITION BY label) AS counted
     FROM (SELECT label, step, begins, sum(n) AS n FROM ${from} GROUP BY ALL))
   WHERE upto >= ceil(counted * 0.5) GROUP BY label`;

/** SQL for the steps of keys. `from` has the columns `label` and `expire_at`. */
export const momentsSql = (from: string, asOf: number): string =>
  `(SELECT label, ${momentPartsSql(asOf)}, n FROM (
     SELECT label, moment, count(*) AS n FROM (SELECT label, ${momentSql(asOf)} AS moment FROM ${from} WHERE expire_at IS NOT NULL) GROUP BY 1, 2))`;

/**
 * Returns the remaining seconds: the middle of the median step, limited to the range of expiries in the group. null: no
 * key expires.
 */
export function computeMedianSeconds(
  median: MedianRow | undefined,
  { minExpire, maxExpire }: { minExpire: number | null; maxExpire: number | null },
  asOf: number,
): number | null {
  if (median === undefined || minExpire === null || maxExpire === null) return null;
  const middle = median.begins <= asOf ? median.begins : median.begins + ALL_TIME_STEPS[median.step]!.seconds * 500;
  return computeSecondsLeft(Math.min(Math.max(middle, minExpire), maxExpire), asOf);
}

export const computeSecondsLeft = (at: number, asOf: number): number => Math.max(0, Math.floor((at - asOf) / 1000));
