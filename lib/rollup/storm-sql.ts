/**
 * Minutes in which unusually many keys of one prefix expire together.
 *
 * What is usual: spread evenly, the n keys of a prefix would expire at n / window per minute, the window being the
 * minutes between its 1st and 99th percentile of minutes (so that a few stragglers do not stretch it; at least 10
 * minutes, or every small prefix would be a storm of itself). Counts of independent expiries scatter like a Poisson
 * variable; a minute is a storm when it has at least 100 keys and exceeds expected + 6 × sqrt(expected) *and* 5 ×
 * expected. Six sigmas keep a month of minutes free of false alarms, the factor keeps large even prefixes out, the
 * hundred keeps trifles out. A prefix whose keys all expire in one minute has no spread at all: its window is the 10
 * minutes, so it is a storm.
 *
 * A storm does not wait for the clock: what expires around the full minute would be halved by it. So the minutes from
 * one half minute to the next are looked at too, where neither minute that they lie in is a storm already. Half a
 * minute of keys is thus always seen.
 */
export const STORM_KEYS = 100;
export const STORM_TIMES = 5;
export const STORM_SIGMAS = 6;
export const STORM_WINDOW_MINUTES = 10;

/**
 * The tables behind the answer, from keys that expire after the scan: `minutes` (by prefix), `windows` (what is usual),
 * `storms` (`minute` may end in .5; `ofKeys`: all of the prefix that expire), `stormy` (the half minutes that storms
 * have). `least` are SQL of Colonnade: keys of a minute, and times what is expected.
 */
export function stormTablesSql(
  keys: string,
  where: string,
  prefix: string,
  min: { keys: string; times: string },
): string {
  return `halves AS (${halvesSql(keys, where, prefix)}), ${stormsOfHalvesSql(min)}`;
}

/** Keys and bytes by prefix and half minute. */
export const halvesSql = (keys: string, where: string, prefix: string): string =>
  `SELECT ${prefix} AS prefix, expire_at // 30000 AS half, count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes
   FROM ${keys} ${where} GROUP BY 1, 2`;

/** From a table `halves` on. */
export function stormsOfHalvesSql(min: { keys: string; times: string }): string {
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
