/**
 * Storms are minutes in which unusually many keys of one prefix expire together.
 *
 * If they were spread evenly, the n keys of a prefix would expire at n / window per minute; this is what is usual. The
 * window is the minutes between the 1st and the 99th percentile, so that a few stragglers do not stretch it, and at
 * least 10 minutes, because otherwise every small prefix would be a storm of itself. Counts of independent expiries
 * scatter like a Poisson variable. A minute is a storm if it has at least 100 keys and exceeds expected + 6 ×
 * sqrt(expected) *and* 5 × expected. Six sigmas keep a month of minutes free of false alarms, the factor excludes large
 * even prefixes, and the hundred keys exclude trifles. A prefix whose keys all expire in one minute has no spread at
 * all: its window is 10 minutes, so it is a storm.
 *
 * A storm need not fit into a clock minute: keys that expire around a full minute would be split into halves. So the
 * minutes from one half minute to the next are checked too, if neither of the minutes that they overlap is a storm
 * already. Keys that expire within the same half minute are therefore always counted together.
 */

export const STORM_KEYS = 100;
export const STORM_TIMES = 5;
export const STORM_SIGMAS = 6;
const STORM_WINDOW_MINUTES = 10;

/**
 * SQL of the tables that storms are computed with, from keys that expire after the scan: `minutes` (by prefix),
 * `windows` (what is usual), `storms` (`minute` may end in .5; `ofKeys` is the number of all keys of the prefix that
 * expire), `stormy` (the half minutes that storms have). `min` holds SQL of Colonnade: the minimum of keys in a minute,
 * and the minimum of times that the expected number is exceeded.
 */
export function stormTablesSql(
  keys: string,
  where: string,
  prefix: string,
  min: { keys: string; times: string },
): string {
  return `halves AS (${halvesSql(keys, where, prefix)}), ${stormsFromHalvesSql(min)}`;
}

/** SQL for keys and bytes by prefix and half minute. */
export const halvesSql = (keys: string, where: string, prefix: string): string =>
  `SELECT ${prefix} AS prefix, expire_at // 30000 AS half, count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes
   FROM ${keys} ${where} GROUP BY 1, 2`;

/** SQL of the same tables if a table `halves` exists already. */
export function stormsFromHalvesSql(min: { keys: string; times: string }): string {
  const isStorm = `keys >= ${min.keys} AND keys > ${min.times} * expected AND keys > expected + ${STORM_SIGMAS} * sqrt(expected)`;
  const expected = `total::DOUBLE / greatest(high - low + 1, ${STORM_WINDOW_MINUTES}) AS expected`;
  return `busy AS (SELECT prefix FROM halves GROUP BY prefix HAVING max(keys) * 2 >= ${min.keys}),
     minutes AS (
       SELECT prefix, half // 2 AS minute, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes
       FROM halves SEMI JOIN busy USING (prefix) GROUP BY 1, 2),
     running AS (
       SELECT prefix, minute, keys, sum(keys) OVER w AS upto, sum(keys) OVER (PARTITION BY prefix) AS total
       FROM minutes WINDOW w AS (PARTITION BY prefix ORDER BY minute)),
     windows AS (
       SELECT prefix, any_value(total) AS total,
         min(minute) FILTER (upto >= total * 0.01) AS low, min(minute) FILTER (upto >= total * 0.99) AS high
       FROM running GROUP BY prefix),
     whole AS (
       SELECT prefix, minute, keys, bytes, total, ${expected} FROM minutes JOIN windows USING (prefix) WHERE ${isStorm}),
     between AS (
       SELECT prefix, half // 2 AS minute, keys, bytes, total, ${expected}
       FROM (
         SELECT prefix, half, lead(half) OVER w AS next, keys + lead(keys) OVER w AS keys, bytes + lead(bytes) OVER w AS bytes
         FROM halves SEMI JOIN busy USING (prefix) WINDOW w AS (PARTITION BY prefix ORDER BY half)) JOIN windows USING (prefix)
       WHERE half % 2 = 1 AND next = half + 1 AND ${isStorm}),
     taken AS (SELECT prefix, minute FROM whole UNION SELECT prefix, minute - 1 FROM whole),
     storms AS (
       SELECT prefix, minute::DOUBLE AS minute, keys, bytes, total::DOUBLE AS ofKeys, expected FROM whole
       UNION ALL SELECT prefix, minute + 0.5, keys, bytes, total::DOUBLE, expected FROM between ANTI JOIN taken USING (prefix, minute)),
     stormy AS (SELECT prefix, unnest([(minute * 2)::BIGINT, (minute * 2)::BIGINT + 1]) AS half FROM storms)`;
}
