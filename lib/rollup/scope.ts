import { numbersSql, oneOfSql } from '@/lib/key-query/filter-where';
import { Where } from '@/lib/key-query/where-clause';
import type { ReportQuery } from '@/lib/model/reports/query';
import { endsAmidEscape } from '@/lib/model/text/double-backslashes';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { BIG } from './classes';
import { type ClassesWithin, classesWithin } from './classes-within';
import type { Rollup } from './open-rollup';
import { pathOf } from './path-of';
import { pathsOf } from './paths-of';
import { tableSql } from './rollup-folder';
import { pathsHolding } from './search-paths';

/**
 * Which questions the roll-up answers: the one place that says so. A question is answered when each field of its filter
 * is a dimension of the table, its bounds lie between classes (classes-within.ts), and its path and searched text part
 * the paths of the roll-up cleanly (paths-of.ts, search-paths.ts). Of bounds of size and length that lie elsewhere the
 * keys may be asked for what cells hold of both sides (lib/reports/split). Everything else is asked of the keys.
 */
type Field = keyof ReportQuery;
/** What shapes an answer without changing which keys it is about. */
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
const OF_PATHS: readonly Field[] = ['prefix', 'template'];
/** Of whole names, which paths tell. */
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
  /** Goes behind FROM. */
  rows: string;
  where: Where;
  /** The paths that are meant. */
  paths: number[];
  /** Those on the path of the question, whatever else it filters by. */
  onPath: number[];
}

const isSet = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Whether nothing but a path says which keys are meant. */
export function narrowsByPathOnly(query: ReportQuery): boolean {
  if (
    (query.prefix && query.template) ||
    endsAmidEscape(query.prefix ?? query.template ?? '') ||
    (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER
  )
    return false;
  const known = [...SHAPING, ...OF_PATHS];
  return Object.entries(query).every(
    ([field, value]) =>
      known.includes(field as Field) || value === undefined || (field !== 'tag' && (!isSet(value) || value === false)),
  );
}

/** Which keys are meant, as one text. */
export function aboutOf(query: ReportQuery): string {
  const asked = Object.entries(query).filter(
    ([field, value]) => isSet(value) && value !== false && !SHAPING.includes(field as Field),
  );
  return JSON.stringify(asked.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function splitScope({ split }: Rollup, table: keyof typeof FIELDS, query: ReportQuery): Scope | null {
  const rows = split?.rows[table];
  if (rows === undefined || aboutOf(query) !== split!.about) return null;
  return { rows, where: new Where(), paths: split!.paths, onPath: split!.onPath };
}

export function rollupScope(rollup: Rollup | null, table: keyof typeof FIELDS, query: ReportQuery): Scope | null {
  if (rollup === null || (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER) return null;
  const split = splitScope(rollup, table, query);
  if (split !== null) return split;
  const known: readonly Field[] = [...SHAPING, ...OF_PATHS, ...OF_NAMES, ...FIELDS[table]];
  for (const [field, value] of Object.entries(query))
    if (isSet(value) && value !== false && !known.includes(field as Field)) return null;
  if (query.tag !== undefined || endsAmidEscape(query.prefix ?? query.template ?? '')) return null;
  const classes = classesWithin(query, rollup.meta.asOf);
  const onPath = query.prefix && query.template ? null : pathsOf(rollup, pathOf(query));
  if (classes === null || onPath === null) return null;
  const paths = query.search ? pathsHolding(rollup, onPath, query.search) : onPath;
  if (paths === null) return null;
  const where = new Where();
  if (paths.length < rollup.paths.length) where.and(amongSql(where, 'path', paths));
  oneOfSql(where, 'type', query.type);
  oneOfSql(where, 'encoding', query.encoding);
  numbersSql(where, 'db', query.db);
  numbersSql(where, 'node', query.node);
  if (query.big === true) where.and(`big = ${BIG}`);
  andClasses(where, classes);
  return { rows: tableSql(rollup.dir, table), where, paths, onPath };
}

/** What cells hold as it is asked, whatever else is. */
const EXACT: readonly Field[] = ['delimiter', 'type', 'encoding', 'db', 'node', 'expiry', 'big'];

/**
 * Of a question that the keys have to answer: cells with all the keys that are meant, and others. What they do not hold
 * no key has. null: there is no roll-up, or names are parted otherwise.
 */
export function widerScope(rollup: Rollup | null, query: ReportQuery): Scope | null {
  const some = Object.fromEntries(Object.entries(query).filter(([field]) => EXACT.includes(field as Field)));
  const ofPath = query.template ? { template: query.template } : { prefix: query.prefix };
  return rollupScope(rollup, 'cells', { ...some, ...ofPath }) ?? rollupScope(rollup, 'cells', some);
}

function andClasses(where: Where, classes: ClassesWithin): void {
  for (const [dimension, some] of Object.entries(classes)) where.and(amongSql(where, dimension, some));
}

/** Neighbours as a range: paths that belong together mostly are. */
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

const MAX_RANGES = 32;
