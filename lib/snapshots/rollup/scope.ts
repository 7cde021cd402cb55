/**
 * This file alone decides whether a question is answered from the sums of the roll-up or from the keys. The sums answer
 * if each field of the filter is a dimension of the table, its bounds are between classes (find-classes-within.ts), and
 * each path of the roll-up is either completely in the path and search of the query or not at all (find-paths.ts,
 * search-paths.ts). Some questions need more (QUESTIONS).
 */

import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { endsAmidEscape } from '@/lib/model/text/double-backslashes';
import { limitToNumbers, limitToWords } from '@/lib/snapshots/key-query/filter-where';
import { parsePath, toQueryPath } from '@/lib/snapshots/key-query/folded-path';
import { MAX_PATH_SEGMENTS } from '@/lib/snapshots/key-query/limit-to-template';
import { PREFIX_SEGMENTS, toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { BIG, IDLE_BOUNDS } from './classes';
import { findClassesWithin } from './find-classes-within';
import { findPaths } from './find-paths';
import type { Rollup } from './open-rollup';
import { findPathsContaining } from './search-paths';
import { CUT } from './settle-paths';

type Field = keyof ReportQuery;
/** Fields that select paths, or shape an answer without changing which keys it is about. */
const OF_PATHS: readonly Field[] = [
  ...(['sort', 'limit', 'cursor', 'masters', 'days', 'buckets', 'fold', 'match', 'nested', 'delimiter'] as const),
  ...(['prefix', 'template'] as const),
];
/** Dimensions of the steps of sizes and of moments; `search` matches whole names, which the paths may decide. */
const OF_STEPS: readonly Field[] = [
  ...(['search', 'type', 'encoding', 'db', 'expiry', 'ttlMin', 'ttlMax', 'bytesMin', 'bytesMax'] as const),
];
const OF_CELLS: readonly Field[] = [...OF_STEPS, 'node', 'big', 'idleMin', 'idleMax'];
const FIELDS = { cells: [...OF_PATHS, ...OF_CELLS], steps: [...OF_PATHS, ...OF_STEPS] };

/** The sums that together hold exactly the keys of a query. */
export interface Scope {
  rollup: Rollup;
  /** Filters the rows of a table. */
  where: Where;
  /** Numbers of the paths that have keys of the query. */
  paths: number[];
  /** Numbers of all paths on the path of the query, whatever else it filters by. */
  onPath: number[];
  /** Whether the query selects its keys by a path only. */
  byPathOnly: boolean;
}

/** Whether the value of a field limits the keys. Only for `tag` an empty text limits them too. */
const isSet = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

/** Finds the sums of a query in a table, or in the tables of steps. null: there are none. */
export function findRollupScope(rollup: Rollup | null, table: keyof typeof FIELDS, query: ReportQuery): Scope | null {
  if (rollup === null || (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER) return null;
  const fields = Object.keys(query).filter((field) => isSet(query[field as Field])) as Field[];
  if (fields.some((field) => !FIELDS[table].includes(field)) || query.tag !== undefined) return null;
  if (endsAmidEscape(query.prefix ?? query.template ?? '')) return null;
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
  return { rollup, where, paths, onPath, byPathOnly: fields.every((field) => OF_PATHS.includes(field)) };
}

/** A report, or a part of one that is decided separately. */
type Question = ReportName | 'level' | 'storms';
/** What answers a question about the keys of a query. */
export type Decision = { query: ReportQuery } & ({ kind: 'sums'; scope: Scope } | { kind: 'keys' });

interface Needs {
  /** The query without fields that do not limit what is asked; absent: all limit it. */
  asks?: (query: ReportQuery) => ReportQuery;
  /** `cells` if the question needs no steps: they have fewer dimensions. */
  table: keyof typeof FIELDS;
  /** Whether the sums of a query are enough; absent: always. */
  suffices?: (scope: Scope, query: ReportQuery) => boolean;
}

const DAY = 86_400;
const parseQueryPath = (query: ReportQuery) => {
  const delimiter = query.delimiter ?? TEMPLATE_DELIMITER;
  return parsePath(toQueryPath(query, delimiter), delimiter);
};
const countSegments = (query: ReportQuery) => parseQueryPath(query).parts.length;
/** The children of a path. */
const LEVEL: Needs = {
  table: 'steps',
  suffices: ({ rollup, onPath }, query) =>
    query.fold !== false && areSeparateAt({ rollup, paths: onPath }, countSegments(query)),
};
const QUESTIONS: Record<Question, Needs> = {
  overview: { table: 'steps' },
  types: { table: 'steps' },
  sizes: { table: 'cells' },
  // Every type is counted, whichever is listed.
  bigkeys: { asks: ({ type: _, big: __, ...rest }) => rest, table: 'cells' },
  keys: { table: 'cells' },
  names: { table: 'cells', suffices: () => false },
  frameworks: { table: 'cells', suffices: () => false },
  level: LEVEL,
  // On a page of the tree a path that ends with a folded id has the values of that id as its children.
  tree: { ...LEVEL, asks: (query) => ('form' in parseQueryPath(query).tail ? { ...query, fold: false } : query) },
  patterns: { table: 'steps', suffices: (scope) => !isCutWithin(scope) },
  ttl: { table: 'steps', suffices: (scope, { buckets = [] }) => buckets.length === 0 && hasPrefixes(scope) },
  storms: { table: 'cells', suffices: (scope) => scope.rollup.meta.storms && findWholePrefixes(scope) !== null },
  idle: {
    table: 'cells',
    suffices: (scope, { days }) => hasPrefixes(scope) && (days === undefined || IDLE_BOUNDS.includes(days * DAY)),
  },
  slots: {
    // The delimiter splits no path if there is none.
    asks: ({ delimiter, ...rest }) => (rest.prefix || rest.template ? { delimiter, ...rest } : rest),
    table: 'cells',
    suffices: ({ rollup, paths, byPathOnly }) =>
      byPathOnly && paths.length === rollup.paths.length && rollup.meta.tagCount !== null,
  },
};

/** Decides once per question what answers it; the decision is handed down. */
export function decide(rollup: Rollup | null, question: Question, query: ReportQuery): Decision {
  const { asks = (same) => same, table, suffices = () => true } = QUESTIONS[question];
  const asked = asks(query);
  const scope = findRollupScope(rollup, table, asked);
  return { query: asked, ...(scope !== null && suffices(scope, asked) ? { kind: 'sums', scope } : { kind: 'keys' }) };
}

const isCutWithin = ({ rollup, paths }: Pick<Scope, 'rollup' | 'paths'>, segments?: number): boolean =>
  paths.some((number) => rollup.paths[number]!.segments.slice(0, segments).includes(CUT));
const hasPrefixes = (scope: Scope) => !isCutWithin(scope, PREFIX_SEGMENTS);

/** Whether some paths are separate at a level, which was not cut. */
export const areSeparateAt = ({ rollup, paths }: Pick<Scope, 'rollup' | 'paths'>, depth: number): boolean =>
  depth < MAX_PATH_SEGMENTS && paths.every((number) => rollup.paths[number]!.segments[depth] !== CUT);

/** Returns the prefixes with keys of a query, with folded ids. null: the query has only some keys of a prefix. */
export function findWholePrefixes({ rollup, paths, byPathOnly }: Scope): ReadonlySet<string> | 'all' | null {
  if (!byPathOnly) return null;
  if (paths.length === rollup.paths.length) return 'all';
  const getPrefix = (number: number) => toPathPrefix(rollup.paths[number]!.segments, rollup.paths[number]!.texts);
  const inside = new Set(paths.map(getPrefix));
  // All names with one prefix have the same folded prefix, so the paths with a folded prefix have whole prefixes.
  if (isCutWithin({ rollup, paths: rollup.paths.map((_, number) => number) }, PREFIX_SEGMENTS)) return null;
  const selected = new Set(paths);
  const isShared = rollup.paths.some((_, number) => !selected.has(number) && inside.has(getPrefix(number)));
  return isShared ? null : inside;
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
