import type { ReportQuery } from '@/lib/model/reports/query';
import type { ExpiryStorm } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { prefixSql } from './prefix-sql';
import { whereOf } from './where';

/**
 * Minutes in which unusually many keys of one prefix expire together.
 *
 * What is usual: spread evenly, the n keys of a prefix would expire at n / window per minute, the window being the
 * minutes between its 1st and 99th percentile of minutes (so that a few stragglers do not stretch it; at least 10 minutes, or
 * every small prefix would be a storm of itself). Counts of independent expiries scatter like a Poisson variable; a minute
 * is a storm when it has at least 100 keys and exceeds expected + 6 × sqrt(expected) *and* 5 × expected. Six sigmas keep a
 * month of minutes free of false alarms, the factor keeps large even prefixes out, the hundred keeps trifles out. A
 * prefix whose keys all expire in one minute has no spread at all: its window is the 10 minutes, so it is a storm.
 */
export const STORM_KEYS = 100;
export const STORM_TIMES = 5;
export const STORM_SIGMAS = 6;
export const STORM_WINDOW_MINUTES = 10;
const MOST = 50;

export async function expiryStorms(source: Source, query: ReportQuery): Promise<ExpiryStorm[]> {
  const where = whereOf(query, source, query.delimiter);
  where.and(`expire_at > ${where.bind(BigInt(source.asOf))}::BIGINT`);
  const prefix = prefixSql(where, query.delimiter ?? ':');
  const rows = await source.query<{ prefix: string; minute: number; keys: number; bytes: number; expected: number }>(
    `WITH ${stormTablesSql(source.keys, where.sql, prefix, { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` })}
     SELECT * FROM storms ORDER BY keys DESC, minute, prefix LIMIT ${MOST}`,
    where.values,
  );
  return rows.map((row) => ({
    minute: row.minute * 60_000,
    prefix: row.prefix,
    keys: row.keys,
    bytes: row.bytes,
    expected: row.expected,
    times: row.keys / row.expected,
  }));
}

/**
 * The tables behind the answer, from keys that expire after the scan: `minutes` (by prefix), `windows` (what is usual),
 * `storms`. `least` are SQL of ours: keys of a minute, and times what is expected.
 */
export function stormTablesSql(
  keys: string,
  where: string,
  prefix: string,
  least: { keys: string; times: string },
): string {
  return `minutes AS (
       SELECT ${prefix} AS prefix, expire_at // 60000 AS minute, count(*) AS keys,
         coalesce(sum(bytes), 0)::DOUBLE AS bytes
       FROM ${keys} ${where} GROUP BY 1, 2),
     busy AS (SELECT prefix FROM minutes GROUP BY prefix HAVING max(keys) >= ${least.keys}),
     running AS (
       SELECT prefix, minute, keys, sum(keys) OVER w AS upto, sum(keys) OVER (PARTITION BY prefix) AS total
       FROM minutes SEMI JOIN busy USING (prefix) WINDOW w AS (PARTITION BY prefix ORDER BY minute)),
     windows AS (
       SELECT prefix, any_value(total) AS total,
         min(minute) FILTER (upto >= total * 0.01) AS low, min(minute) FILTER (upto >= total * 0.99) AS high
       FROM running GROUP BY prefix),
     storms AS (
       SELECT prefix, minute, keys, bytes, total::DOUBLE / greatest(high - low + 1, ${STORM_WINDOW_MINUTES}) AS expected
       FROM minutes JOIN windows USING (prefix)
       WHERE keys >= ${least.keys} AND keys > ${least.times} * expected AND keys > expected + ${STORM_SIGMAS} * sqrt(expected))`;
}
