import type { ReportQuery } from '@/lib/model/reports/query';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { ALL_TIME_STEPS, TTL_AHEAD } from './classes';
import type { Rollup } from './open-rollup';
import { rollupScope } from './scope';
import { STORM_WINDOW_MINUTES } from './storm-sql';

/** SQL for labels and what is usual for each: a lower bound of the keys that expire per minute (storm-sql.ts). */
export interface Usual {
  sql: string;
  values: SqlValue[];
}

/**
 * Uses the steps of expiry. A step begins no later than its keys expire and ends no earlier, so the window between the
 * 1st and 99th percentile of steps is no shorter than that of the keys. If the filter cannot be applied to steps, the
 * window is from the first to the last expiry.
 */
export function usualSql(rollup: Rollup, query: ReportQuery, labels: ReadonlyMap<string, readonly number[]>): Usual {
  const steps = rollupScope(rollup, 'moments', query);
  const { rows, where } = (steps ?? rollupScope(rollup, 'cells', query))!;
  const from = `(SELECT * FROM (SELECT * FROM ${rows} ${where.sql}) JOIN ${labelsSql(where, labels)} USING (path))`;
  const sql =
    steps === null
      ? `SELECT label, ${PER_MINUTE} FROM (
           SELECT label, sum(n) AS total, min(minExpire) AS low, max(maxExpire) AS high FROM ${from} WHERE ttl >= ${TTL_AHEAD} GROUP BY 1)`
      : usualOfStepsSql(from);
  return { sql, values: where.values };
}

/** @param from SQL to put after FROM, with `label`, `ttl`, `step`, `begins` and `n` of all keys of the query. */
export const usualOfStepsSql = (from: string): string =>
  `SELECT label, ${PER_MINUTE} FROM (
     SELECT label, any_value(total) AS total, min(begins) FILTER (early >= total * 0.01) AS low,
       min(ends) FILTER (late >= total * 0.99) AS high
     FROM (SELECT *, sum(n) OVER (PARTITION BY label) AS total, sum(n) OVER (PARTITION BY label ORDER BY begins) AS early,
         sum(n) OVER (PARTITION BY label ORDER BY ends) AS late
       FROM (SELECT label, begins, begins + ${lengthSql} - 1 AS ends, sum(n) AS n FROM ${from} WHERE ttl >= ${TTL_AHEAD} GROUP BY 1, 2, 3))
     GROUP BY 1)`;

const PER_MINUTE = `total::DOUBLE / greatest(high // 60000 - low // 60000 + 1, ${STORM_WINDOW_MINUTES}) AS expected`;
const lengthSql = `(CASE step ${ALL_TIME_STEPS.map(({ seconds }, i) => `WHEN ${i} THEN ${seconds * 1000}`).join(' ')} END)::BIGINT`;

/** Separates texts that are bound as one; names contain no control characters. */
const SEPARATOR = '\u0002';

function labelsSql(where: Where, labels: ReadonlyMap<string, readonly number[]>): string {
  const pairs = [...labels].flatMap(([label, paths]) => paths.map((path) => [String(path), label] as const));
  const list = (texts: string[]) => `unnest(string_split(${where.bind(texts.join(SEPARATOR))}::VARCHAR, chr(2)))`;
  return `(SELECT path::UINTEGER AS path, label FROM (
    SELECT ${list(pairs.map(([path]) => path))} AS path, ${list(pairs.map(([, label]) => label))} AS label))`;
}
