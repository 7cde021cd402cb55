/**
 * The tables of sums that reports read (lib/snapshots/rollup/roll-up-file.ts): those of the roll-up, or the keys in the
 * same columns. A report is written once for both, so they cannot differ.
 */

import type { ReportQuery } from '@/lib/model/reports/query';
import { type BoundedSource, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { keyPrefixSql, toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import {
  bigClassSql,
  idleClassSql,
  momentPartsSql,
  momentSql,
  sizeClassSql,
  sizeStepSql,
  TTL_AHEAD,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
  ttlStateSql,
} from '@/lib/snapshots/rollup/classes';
import type { Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { type RollupTable, tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import type { Decision, Scope } from '@/lib/snapshots/rollup/scope';
import { withGroups } from './grouping/with-groups';

/** A source with its roll-up, if one was found (null: none). */
export interface RolledSource extends BoundedSource {
  rollup: Rollup | null;
  /** True if no key of the query is a bigkey or may be one, so that this is not computed for each. */
  withoutBigkeys?: boolean;
}

/** SQL to put after FROM, and the values that are bound in it. */
export interface Rows {
  from: string;
  values: readonly SqlValue[];
}

/** SQL for the columns of `totalsSql` (key-query/totals-sql.ts) over cells. */
export const CELL_TOTALS =
  'coalesce(sum(n), 0)::BIGINT AS keys, coalesce(sum(total), 0)::DOUBLE AS bytes, coalesce(sum(n - sized), 0)::BIGINT AS bytesUnknown';

/** SQL for aggregates over the cells for which a predicate is true. */
export const countSql = (predicate: string) => `coalesce(sum(n) FILTER (${predicate}), 0)::BIGINT`;
export const sumBytesSql = (predicate: string) => `coalesce(sum(total) FILTER (${predicate}), 0)::DOUBLE`;
export const countUnsizedSql = (predicate: string) => `coalesce(sum(n - sized) FILTER (${predicate}), 0)::BIGINT`;

/** SQL for predicates about the expiry of a cell. */
export const HAS_NO_EXPIRY = `ttl = ${TTL_NONE}`;
export const HAS_EXPIRY = `(ttl = ${TTL_EXPIRED} OR ttl >= ${TTL_AHEAD})`;
export const HAS_UNKNOWN_EXPIRY = `ttl = ${TTL_UNKNOWN}`;
export const IS_EXPIRED = `ttl = ${TTL_EXPIRED}`;

/** Selects the cells of a query. */
export const selectCells = (source: RolledSource, decision: Decision): Rows =>
  decision.kind === 'sums' ? selectSums(decision.scope, 'cells') : selectKeyCells(source, decision.query);

/** Selects the rows of a table of sums that have the keys of a query. */
export function selectSums({ rollup, where }: Scope, table: RollupTable): Rows {
  return { from: `(SELECT * FROM ${tableSql(rollup.dir, table)} ${where.sql})`, values: where.values };
}

/**
 * Selects each key of a query as a cell of its own, with an additional column `label` if its SQL is given. In the column
 * `ttl` all keys that have not expired are TTL_AHEAD, because finding the class of each takes as long as reading it. A
 * report on these classes groups by `ttlClassSql`.
 */
export function selectKeyCells(source: RolledSource, query: ReportQuery, labelSql?: (where: Where) => string): Rows {
  const { keys, where } = selectFilteredKeys(source, query);
  const label = labelSql ? `, ${labelSql(where)} AS label` : '';
  return {
    from: `(SELECT node, db, type, encoding, bytes, expire_at, expiry_known, idle_seconds, 1 AS n, CASE WHEN bytes IS NULL THEN 0 ELSE 1 END AS sized,
      bytes AS total, bytes AS maxBytes, expire_at AS minExpire, expire_at AS maxExpire, name AS first,
      ${ttlStateSql(source.asOf)} AS ttl, ${sizeClassSql} AS size, ${idleClassSql} AS idle,
      ${source.withoutBigkeys ? '0' : bigClassSql(source.bigkeys)} AS big${label}
      FROM ${keys} ${where.sql})`,
    values: where.values,
  };
}

/** Selects the rows of a table of sums with an additional column `label`, which depends on the path. */
export function selectLabelledSums(
  { rollup, where: filter, paths: all }: Scope,
  table: RollupTable,
  toLabel: (path: number) => string,
  paths: readonly number[] = all,
): Rows {
  const where = filter.copy();
  const rows = `SELECT * FROM ${tableSql(rollup.dir, table)} ${where.sql}`;
  if (paths.length === 0) return { from: `(SELECT *, '' AS label FROM (${rows}) WHERE false)`, values: where.values };
  const labels = listedSql(where, { path: paths.map(String), label: paths.map(toLabel) });
  const from = `(SELECT * FROM (${rows}) JOIN (SELECT path::UINTEGER AS path, label FROM ${labels}) USING (path))`;
  return { from, values: where.values };
}

/** Selects the cells of a query with the prefix of each (prefix-sql.ts) as an additional column `label`. */
export function selectCellsByPrefix(source: RolledSource, decision: Decision): Rows {
  const { query } = decision;
  if (decision.kind === 'keys') return selectKeyCells(source, query, (where) => keyPrefixSql(where, query.delimiter));
  const { paths } = decision.scope.rollup;
  return selectLabelledSums(decision.scope, 'cells', (path) => toPathPrefix(paths[path]!.segments, paths[path]!.texts));
}

interface Dimensions {
  /** SQL for the dimensions of the cells that are needed. */
  cells: string;
  steps: 'sizes' | 'moments';
}

/**
 * Calls `use` with the cells of a query and the steps of their sizes or moments of expiry. The keys are grouped into
 * both in one pass.
 */
export async function withSteps<T>(
  source: RolledSource,
  decision: Decision,
  { cells, steps }: Dimensions,
  use: (cells: Rows, steps: Rows) => Promise<T>,
): Promise<T> {
  if (decision.kind === 'sums') return use(selectSums(decision.scope, 'cells'), selectSums(decision.scope, steps));
  return withKeySteps(source, selectKeyCells(source, decision.query), { cells, steps }, use);
}

/** Like `withSteps`, from cells of keys. */
export function withKeySteps<T>(
  source: RolledSource,
  { from, values }: Rows,
  { cells, steps }: Dimensions,
  use: (cells: Rows, steps: Rows) => Promise<T>,
): Promise<T> {
  const group = (step: string) =>
    `SELECT ${cells}, ${step}, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total,
       max(maxBytes) AS maxBytes, min(minExpire) AS minExpire, max(maxExpire) AS maxExpire FROM ${from} GROUP BY ALL`;
  const groups =
    steps === 'sizes'
      ? group(`CASE WHEN bytes IS NOT NULL THEN ${sizeStepSql} END AS step`)
      : `SELECT * EXCLUDE (moment), ${momentPartsSql(source.asOf)} FROM (${group(`${momentSql(source.asOf)} AS moment`)})`;
  return withGroups(source, groups, values, (table) =>
    use({ from: table, values: [] }, { from: `(SELECT * FROM ${table} WHERE step IS NOT NULL)`, values: [] }),
  );
}

/** Separates texts that are bound as one; names contain no control characters. */
const SEPARATOR = '\u0002';

/**
 * SQL for a table of these columns, to put after FROM. Each column is bound as one text and must have at least one row.
 */
export function listedSql(where: Where, columns: Record<string, readonly string[]>): string {
  const unnested = Object.entries(columns).map(
    ([name, texts]) => `unnest(string_split(${where.bind(texts.join(SEPARATOR))}::VARCHAR, chr(2))) AS ${name}`,
  );
  return `(SELECT ${unnested.join(', ')})`;
}
