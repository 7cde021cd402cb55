import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';
import { templateSql } from '@/lib/snapshots/key-query/template-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { forEachRange, hasManyPrefixes, MANY, orEndsSql } from './many-prefixes';

/**
 * SQL that aggregates keys by prefix (prefix-sql.ts), shown as a path: a first segment that is an id is folded, so that
 * `17:cart` and `18:cart` are one group, and text that looks folded is escaped. Keys are first grouped by prefix, which
 * is cheap, and only these few rows are folded. `aggregates` maps the name of a column to two pieces of SQL: one over
 * the keys of a prefix and one over the prefixes of a path.
 */
export function foldedPrefixesSql(
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
  // `templateSql` reads the column `name`, which is the prefix here.
  return `SELECT ${path} AS path, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(example) AS example,
      count(*) AS members, ${outer}
    FROM (SELECT ${prefix} AS name, count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes, min(name) AS example, ${inner}
      FROM ${keys} ${where.sql} GROUP BY 1)
    GROUP BY 1`;
}

/** Makes the names of temporary tables unique. */
let tables = 0;

/**
 * Calls `use` with the same aggregates as a sub-select in brackets, and with the Where that holds its values. All paths
 * with at least `bound.min` keys or bytes are included. If there are very many prefixes, those below are dropped range
 * by range.
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
    return use(`(${foldedPrefixesSql(source.keys, where, delimiter, aggregates)})`, where);
  const table = `folded_prefixes_${++tables}`;
  try {
    let isCreated = false;
    await forEachRange(source, plain, prefix, async (keys, ends) => {
      const ofRange = where.copy();
      const select = foldedPrefixesSql(keys, ofRange, delimiter, aggregates);
      // A path with something folded or escaped combines several prefixes, which may be in any range, so it is always
      // kept.
      const kept = `${bound.of} >= ${bound.min} OR regexp_matches(path, '[{\\\\]') ${orEndsSql('path', ends)}`;
      const into = isCreated ? `INSERT INTO ${table}` : `CREATE TEMP TABLE ${table} AS`;
      await source.query(`${into} SELECT * FROM (${select}) WHERE ${kept}`, ofRange.values);
      isCreated = true;
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

/** Names without a delimiter have the empty prefix. No path leads to them, so theirs is null. */
export const toPathOrNull = (path: string) => (path === '' ? null : path);
