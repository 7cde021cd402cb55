/**
 * Counts prefixes range by range. Names of one prefix are adjacent, so a range has all keys of a prefix, except perhaps
 * of its first and its last one. Prefixes below a threshold are dropped at once, and memory does not grow with the
 * number of prefixes. This takes longer, so it is only done if there are very many.
 */

import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { quote } from '@/lib/snapshots/query/duckdb';
import { listKeyRanges } from '@/lib/snapshots/query/key-ranges';
import type { Source } from '@/lib/snapshots/query/with-source';

/** One name in this many is read to find out whether there are very many prefixes. */
const SAMPLE = 64;
/** Number of prefixes in the sample above which prefixes are counted range by range. */
export const MANY = 5000;

/**
 * Whether a sample of the keys has more than `many` prefixes. `prefix` is the SQL expression for the prefix of a name.
 */
export async function hasManyPrefixes(source: Source, where: Where, prefix: string, many: number): Promise<boolean> {
  const sampled = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  const [row] = await source.query<{ prefixes: number }>(
    `SELECT count(DISTINCT ${prefix}) AS prefixes FROM ${source.keys} ${sampled} hash(name) % ${SAMPLE} = 0`,
    where.values,
  );
  return (row?.prefixes ?? 0) > many;
}

/**
 * Calls `use` for each range with the prefixes of its first and its last name, which may continue in the neighbouring
 * ranges.
 */
export async function forEachRange(
  source: Source,
  where: Where,
  prefix: string,
  use: (keys: string, ends: readonly string[]) => Promise<void>,
): Promise<void> {
  for (const keys of listKeyRanges(source)) {
    const ends = await source.query<{ prefix: string | null }>(
      `SELECT DISTINCT ${prefix} AS prefix FROM (SELECT min(name) AS low, max(name) AS high FROM ${keys} ${where.sql}) ends,
         LATERAL (SELECT unnest([low, high]) AS name)`,
      where.values,
    );
    await use(
      keys,
      ends.flatMap((end) => end.prefix ?? []),
    );
  }
}

/** Makes the names of temporary tables unique. */
let tables = 0;

/**
 * Calls `use` with a sub-select of the keys under prefixes that have at least `min` keys, or with all keys if there are
 * not very many prefixes.
 */
export async function withCrowdedPrefixes<T>(
  source: Source,
  where: Where,
  prefix: string,
  min: number,
  use: (keys: string) => Promise<T>,
  many = MANY,
): Promise<T> {
  if (!(await hasManyPrefixes(source, where, prefix, many))) return use(source.keys);
  const table = `crowded_prefixes_${++tables}`;
  await source.query(`CREATE TEMP TABLE ${table} (prefix VARCHAR)`);
  try {
    await forEachRange(source, where, prefix, async (keys, ends) => {
      await source.query(
        `INSERT INTO ${table} SELECT prefix FROM (SELECT ${prefix} AS prefix FROM ${keys} ${where.sql}) GROUP BY prefix
         HAVING count(*) >= ${Math.ceil(min)} ${orEndsSql('prefix', ends)}`,
        where.values,
      );
    });
    return await use(`(SELECT * FROM ${source.keys} WHERE ${prefix} IN (SELECT prefix FROM ${table}))`);
  } finally {
    await source.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

/**
 * SQL that is also true for prefixes with which an end begins. Names with the prefix `a:b:` are between names with the
 * prefix `a:`, so if a range ends at `a:b:1`, `a:` may continue in the next one too.
 */
export const orEndsSql = (column: string, ends: readonly string[]) =>
  ends.map((end) => `OR starts_with(${quote(end)}, ${column})`).join(' ');
