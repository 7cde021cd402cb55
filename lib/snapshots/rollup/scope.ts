/**
 * This file alone decides which queries the roll-up answers. A query is answered if each field of its filter is a
 * dimension of the table, its bounds are between classes (find-classes-within.ts), and each path of the roll-up is
 * either completely in its path and search or not at all (find-paths.ts, search-paths.ts). Everything else is answered
 * from the keys.
 */

import type { ReportQuery } from '@/lib/model/reports/query';
import { endsAmidEscape } from '@/lib/model/text/double-backslashes';
import { limitToNumbers, limitToWords } from '@/lib/snapshots/key-query/filter-where';
import { toQueryPath } from '@/lib/snapshots/key-query/folded-path';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { BIG } from './classes';
import { findClassesWithin } from './find-classes-within';
import { findPaths } from './find-paths';
import type { Rollup } from './open-rollup';
import { tableSql } from './rollup-folder';
import { findPathsContaining } from './search-paths';

type Field = keyof ReportQuery;
/** Fields that shape an answer without changing which keys it is about. */
const SHAPING: readonly Field[] = [
  'sort',
  'limit',
  'cursor',
  'masters',
  'days',
  'buckets',
  'fold',
  'match',
  'nested',
  'delimiter',
];
/** Fields that select a path. */
const OF_PATHS: readonly Field[] = ['prefix', 'template'];
/** Fields that match whole names, which the paths may decide. */
const OF_NAMES: readonly Field[] = ['search'];
const OF_CELLS: readonly Field[] = [
  ...(['type', 'encoding', 'db', 'node', 'expiry', 'big'] as const),
  ...(['ttlMin', 'ttlMax', 'bytesMin', 'bytesMax', 'idleMin', 'idleMax'] as const),
];
const OF_STEPS = OF_CELLS.filter((field) => !['node', 'big', 'idleMin', 'idleMax'].includes(field));
const FIELDS: Record<'cells' | 'sizes' | 'moments', readonly Field[]> = {
  cells: OF_CELLS,
  sizes: OF_STEPS,
  moments: OF_STEPS,
};

export interface Scope {
  /** SQL to put after FROM. */
  rows: string;
  where: Where;
  /** Numbers of the paths that have keys of the query. */
  paths: number[];
  /** Numbers of all paths on the path of the query, whatever else it filters by. */
  onPath: number[];
}

/** Whether the value of a field limits the keys. Only for `tag` an empty text limits them too. */
const isSet = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

/** Whether a query selects its keys by a path only. */
export function narrowsByPathOnly(query: ReportQuery): boolean {
  if (
    (query.prefix && query.template) ||
    endsAmidEscape(query.prefix ?? query.template ?? '') ||
    (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER
  )
    return false;
  const known = [...SHAPING, ...OF_PATHS];
  return Object.entries(query).every(
    ([field, value]) => known.includes(field as Field) || value === undefined || (field !== 'tag' && !isSet(value)),
  );
}

/** Returns the rows of a table that answer a query; null: the roll-up cannot answer it. */
export function findRollupScope(rollup: Rollup | null, table: keyof typeof FIELDS, query: ReportQuery): Scope | null {
  if (rollup === null || (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER) return null;
  const known: readonly Field[] = [...SHAPING, ...OF_PATHS, ...OF_NAMES, ...FIELDS[table]];
  for (const [field, value] of Object.entries(query)) if (isSet(value) && !known.includes(field as Field)) return null;
  if (query.tag !== undefined || endsAmidEscape(query.prefix ?? query.template ?? '')) return null;
  const classes = findClassesWithin(query, rollup.meta.asOf);
  const onPath = query.prefix && query.template ? null : findPaths(rollup, toQueryPath(query));
  if (classes === null || onPath === null) return null;
  const paths = query.search ? findPathsContaining(rollup, onPath, query.search) : onPath;
  if (paths === null) return null;
  const where = new Where();
  if (paths.length < rollup.paths.length) where.and(amongSql(where, 'path', paths));
  limitToWords(where, 'type', query.type);
  limitToWords(where, 'encoding', query.encoding);
  limitToNumbers(where, 'db', query.db);
  limitToNumbers(where, 'node', query.node);
  if (query.big === true) where.and(`big = ${BIG}`);
  for (const [dimension, some] of Object.entries(classes)) where.and(amongSql(where, dimension, some));
  return { rows: tableSql(rollup.dir, table), where, paths, onPath };
}

/** Fields by which cells can be filtered exactly, whatever else the query filters by. */
const EXACT: readonly Field[] = ['delimiter', 'type', 'encoding', 'db', 'node', 'expiry', 'big'];

/**
 * Serves a query that is answered from the keys: it returns cells with all keys of the query and perhaps others. What
 * is in none of these cells is in no key of the query. null: there is no roll-up, or names are split by another
 * delimiter.
 */
export function findWiderScope(rollup: Rollup | null, query: ReportQuery): Scope | null {
  const some = Object.fromEntries(Object.entries(query).filter(([field]) => EXACT.includes(field as Field)));
  const ofPath = query.template ? { template: query.template } : { prefix: query.prefix };
  return findRollupScope(rollup, 'cells', { ...some, ...ofPath }) ?? findRollupScope(rollup, 'cells', some);
}

/**
 * SQL for a column with one of these numbers. Adjacent numbers become a range, because paths that belong together
 * mostly have adjacent numbers.
 */
function amongSql(where: Where, column: string, numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  if (ranges.length === 0) return 'false';
  if (ranges.length > MAX_RANGES)
    return `${column} IN (SELECT unnest(string_split(${where.bind(numbers.join(','))}::VARCHAR, ','))::UINTEGER)`;
  return `(${ranges.map(([from, to]) => `${column} BETWEEN ${from} AND ${to}`).join(' OR ')})`;
}

/** With more ranges the numbers are bound as one list. */
const MAX_RANGES = 32;
