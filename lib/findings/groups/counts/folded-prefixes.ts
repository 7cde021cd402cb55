import { prefixSql } from '@/lib/key-query/prefix-sql';
import { templateSql } from '@/lib/key-query/template-sql';
import { Where } from '@/lib/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { eachRange, hasManyPrefixes, MANY, orEndsSql } from './many-prefixes';

/**
 * Aggregates by prefix (prefix-sql.ts), shown as a path: a first segment that is an id is folded, so that `17:cart` and
 * `18:cart` are one group, and what looks folded is escaped. The cheap grouping comes first; only its few rows are
 * folded. `aggregates`: name → [of the rows, of the groups], SQL of Colonnade.
 */
export function foldedPrefixes(
  keys: string,
  where: Where,
  delimiter: string,
  aggregates: Record<string, readonly [inner: string, outer: string]>,
): string {
  const columns = Object.entries(aggregates);
  const prefix = prefixSql(where, delimiter);
  const path = templateSql(where, delimiter);
  const inner = columns.map(([name, [sql]]) => `${sql} AS ${name}`).join(', ');
  const outer = columns.map(([name, [, sql]]) => `${sql} AS ${name}`).join(', ');
  // `name` inside templateSql is the prefix here.
  return `SELECT ${path} AS path, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(example) AS example,
      count(*) AS members, ${outer}
    FROM (SELECT ${prefix} AS name, count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes, min(name) AS example, ${inner}
      FROM ${keys} ${where.sql} GROUP BY 1)
    GROUP BY 1`;
}

let tables = 0;

/**
 * The same as a sub-select in brackets, of which `where` holds the values, while `use` runs: of paths with at least
 * `bound.min` of a sum. Of very many prefixes those that stay below are not kept.
 */
export async function withFoldedPrefixes<T>(
  source: Source,
  where: Where,
  delimiter: string,
  aggregates: Record<string, readonly [inner: string, outer: string]>,
  bound: { of: 'keys' | 'bytes'; min: number },
  use: (groups: string, where: Where) => Promise<T>,
  many = MANY,
): Promise<T> {
  const plain = where.copy();
  const prefix = prefixSql(plain, delimiter);
  if (!(await hasManyPrefixes(source, plain, prefix, many)))
    return use(`(${foldedPrefixes(source.keys, where, delimiter, aggregates)})`, where);
  const table = `folded_prefixes_${++tables}`;
  try {
    let begun = false;
    await eachRange(source, plain, prefix, async (keys, ends) => {
      const mine = where.copy();
      const select = foldedPrefixes(keys, mine, delimiter, aggregates);
      // A path that folds or escapes something is of several prefixes, which may lie anywhere.
      const kept = `${bound.of} >= ${bound.min} OR regexp_matches(path, '[{\\\\]') ${orEndsSql('path', ends)}`;
      const into = begun ? `INSERT INTO ${table}` : `CREATE TEMP TABLE ${table} AS`;
      await source.query(`${into} SELECT * FROM (${select}) WHERE ${kept}`, mine.values);
      begun = true;
    });
    const outer = Object.entries(aggregates).map(([name, [, sql]]) => `${sql} AS ${name}`);
    return await use(
      `(SELECT path, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(example) AS example, ${outer.join(', ')} FROM ${table} GROUP BY path)`,
      new Where(),
    );
  } finally {
    await source.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

/** The empty prefix holds the names without a delimiter; there is no path to them. */
export const pathOrNull = (path: string) => (path === '' ? null : path);
