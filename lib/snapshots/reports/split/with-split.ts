/**
 * A query with bounds inside classes of the roll-up is split: most cells have keys on one side of a bound only, which
 * their minimum and maximum show. The keys of the other cells are read and grouped as the roll-up groups them. The
 * tables of both together answer the query as the roll-up would.
 */

import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { isOutOfMemory } from '@/lib/snapshots/query/duckdb';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { dropTables } from '@/lib/snapshots/reports/grouping/with-groups';
import { type SplitTables, toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { describeSelection, findRollupScope, type Scope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { NEEDS, type NeededBy, type SplitTable } from './needs';
import { type PartRead, SPLIT_TABLES, type Split } from './split';
import { makeTables } from './split-tables';
import { BOUNDS, makeUnits, type PathUnits, UNITS } from './units';

/** Maximum number of paths; more have too many moments of their own to be copied. */
const MAX_TEMPLATES = 2000;
/** Maximum number of paths whose keys are read, because each is bound and a name of each is read. */
const MAX_READ = 64;
/**
 * With fewer keys, looking at cells first takes longer than a pass over all keys. If there were more groups, which are
 * in memory, reports read the keys under their own limits. Tests may set other limits.
 */
export const SPLIT_LIMITS = { minKeys: 1_000_000, maxGroups: 200_000 };

/** Calls `use` with the source, or with one whose roll-up can answer this query too. */
export async function withSplit<S extends RolledSource, T>(
  source: S,
  name: ReportName,
  { savings: _, ...query }: ReportQuery,
  use: (source: S) => Promise<T>,
): Promise<T> {
  const needs = NEEDS[name];
  const base = needs && findSplitCells(source, query, needs);
  if (!needs || !base) return use(source);
  try {
    const split = await makeSplit(source, { query, base: base.query, needs }, base).catch((error) => {
      if (isOutOfMemory(error)) return null;
      throw error;
    });
    if (split !== null) return await use({ ...source, ...queueQueries(source), rollup: { ...source.rollup!, split } });
  } finally {
    await dropTables(source.connection, [UNITS, ...Object.values(SPLIT_TABLES)]);
  }
  return use(source);
}

/** Makes the tables of a query; null: the query is not split, and reports answer it in their own ways. */
async function makeSplit(source: RolledSource, split: Omit<Split, 'part'>, cells: Scope): Promise<SplitTables | null> {
  const units = await makeUnits(source, cells, split.query);
  const part = choosePart(source, units);
  const rows = part && (await makeTables(source, { ...split, part }, SPLIT_LIMITS.maxGroups));
  if (!rows) return null;
  const paths = await source.query<{ path: number }>(`SELECT DISTINCT path FROM ${SPLIT_TABLES.cells} ORDER BY path`);
  return { about: describeSelection(split.query), rows, paths: paths.map(({ path }) => path), onPath: cells.onPath };
}

/** Returns the cells of the query without its bounds; null: the query cannot be split. */
function findSplitCells(source: RolledSource, query: ReportQuery, needs: NeededBy) {
  // The roll-up cannot answer queries with these fields.
  if (query.fold === false || (query.buckets?.length ?? 0) > 0) return null;
  if (source.rollup === null || BOUNDS.every((field) => query[field] === undefined)) return null;
  const base: ReportQuery = { ...query };
  for (const field of BOUNDS) delete base[field];
  const tables: SplitTable[] = [
    'cells',
    ...(needs.sizes ? (['sizes'] as const) : []),
    ...(needs.moments ? (['moments'] as const) : []),
  ];
  // If the roll-up can answer the query directly, it is not split.
  if (tables.every((table) => findRollupScope(source.rollup, table, query) !== null)) return null;
  const [cells, ...others] = tables.map((table) => findRollupScope(source.rollup, table, base));
  if (!cells || others.includes(null)) return null;
  const paths = cells.paths.map((number) => source.rollup!.paths[number]!);
  if (paths.length > MAX_TEMPLATES || paths.some(({ segments }) => segments.includes(CUT))) return null;
  // Paths with literal ids share one template.
  return new Set(paths.map(toTemplate)).size === paths.length ? { ...cells, query: base } : null;
}

/**
 * Returns the paths and the range of classes of size whose keys are read. Units of which all keys match may be among
 * them. null: too many paths, or too few keys.
 */
function choosePart({ rollup }: RolledSource, units: readonly PathUnits[]): PartRead | null {
  const mixed = units.filter(({ some }) => some > 0);
  if (mixed.length > MAX_READ) return null;
  if (units.reduce((sum, { all, some, none }) => sum + all + some + none, 0) < SPLIT_LIMITS.minKeys) return null;
  return {
    paths: mixed.map(({ path }) => ({ path, template: toTemplate(rollup!.paths[path]!) })),
    from: Math.min(...mixed.map(({ from }) => from!)),
    to: Math.max(...mixed.map(({ to }) => to!)),
  };
}

/** The tables exist on one connection, which runs one statement after the other. */
function queueQueries({ query }: RolledSource): Pick<RolledSource, 'query' | 'queryInParallel'> {
  let last: Promise<unknown> = Promise.resolve();
  const ask: RolledSource['query'] = (sql, values) => {
    const asked = last.then(() => query(sql, values)) as ReturnType<typeof query>;
    last = asked.catch(() => undefined);
    return asked as never;
  };
  return { query: ask, queryInParallel: ask };
}
