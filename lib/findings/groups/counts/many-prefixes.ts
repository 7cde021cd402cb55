import type { Where } from '@/lib/key-query/where-clause';
import { rangesOf } from '@/lib/snapshots/query/ranges-of';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * Prefixes counted range by range. Names of one prefix lie together, so a range knows all of it but of its first and
 * its last one: what stays below a threshold there is forgotten at once, and memory does not grow with the number of
 * prefixes. Only where there are very many, because it takes longer.
 */
const SAMPLE = 64;
/** In the sample. */
export const MANY = 5000;

/** Whether a sample of the keys (`prefix`: an expression of their prefix) has more prefixes than fit well. */
export async function hasManyPrefixes(source: Source, where: Where, prefix: string, many: number): Promise<boolean> {
  const sampled = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  const [row] = await source.query<{ prefixes: number }>(
    `SELECT count(DISTINCT ${prefix}) AS prefixes FROM ${source.keys} ${sampled} hash(name) % ${SAMPLE} = 0`,
    where.values,
  );
  return (row?.prefixes ?? 0) > many;
}

/** Each range with the prefixes that may go on in its neighbours. */
export async function eachRange(
  source: Source,
  where: Where,
  prefix: string,
  use: (keys: string, ends: readonly string[]) => Promise<void>,
): Promise<void> {
  for (const keys of rangesOf(source)) {
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

let tables = 0;

/** The keys under prefixes that have at least `min` of them, or all keys: a sub-select, while `use` runs. */
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
    await eachRange(source, where, prefix, async (keys, ends) => {
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

/** Those that begin an end, too: between `a:1` and `a:9` lies `a:b:1`, whose prefix is another one. */
export const orEndsSql = (column: string, ends: readonly string[]) =>
  ends.map((end) => `OR starts_with('${end.replaceAll("'", "''")}', ${column})`).join(' ');
