import { prefixSql } from '@/lib/key-query/prefix-sql';
import { templateSql } from '@/lib/key-query/template-sql';
import type { Where } from '@/lib/key-query/where-clause';

/**
 * Aggregates by prefix (prefix-sql.ts), told as a path: a first segment that is an id is folded, so that `17:cart` and
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

/** The empty prefix holds the names without a delimiter; there is no path to them. */
export const pathOrNull = (path: string) => (path === '' ? null : path);
