import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { TTL_UNKNOWN } from '@/lib/snapshots/rollup/classes';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import type { CellDimension } from './needs';
import { isReadSql, type Split } from './split';

/**
 * Facts that cells have about the keys that will be read. A dimension with one value for all keys of a path is not read
 * for each key.
 */
export interface PartFacts {
  /** Dimensions with one value for each path, which is that of its cells. */
  fixed: ReadonlySet<CellDimension>;
  /** True if it is known of every key whether it expires. */
  areExpiriesKnown: boolean;
  /** First and last expiry in epoch ms; null: no key expires. */
  span: { min: number; max: number } | null;
  /** Upper bound of the groups of keys and rows of the roll-up that will be kept. */
  groups: number;
}

/** Dimensions that cost more to read from each key than from its path. */
const PERHAPS_FIXED: readonly CellDimension[] = ['node', 'db', 'type', 'encoding', 'big'];

type Row = { min: number | null; max: number | null; unknown: boolean } & Record<string, unknown>;

/** Reads these facts from the roll-up. */
export async function readPartFacts(source: RolledSource, split: Split): Promise<PartFacts> {
  const { from, values } = selectPartCells(source, split);
  const perhaps = PERHAPS_FIXED.filter((one) => split.needs.cells.includes(one));
  const counts = perhaps.map((one) => `count(DISTINCT ${one}) + count(*) FILTER (${one} IS NULL) AS ${one}`);
  const counted = perhaps.map((one) => `max(${one})::DOUBLE AS ${one}`);
  const [row] = await source.query<Row>(
    `SELECT ${[...counted, 'min(low)::DOUBLE AS "min"', 'max(high)::DOUBLE AS "max"', 'bool_or(unknown) AS "unknown"'].join(', ')} FROM (
       SELECT ${[...counts, 'min(minExpire) AS low', 'max(maxExpire) AS high', `bool_or(ttl = ${TTL_UNKNOWN}) AS unknown`].join(', ')}
       FROM ${from} GROUP BY path)`,
    values,
  );
  const { min, max, unknown } = row!;
  return {
    groups: await countGroups(source, split),
    fixed: new Set(perhaps.filter((one) => row![one] === 1)),
    areExpiriesKnown: unknown === false,
    span: min === null || max === null ? null : { min, max },
  };
}

/**
 * SQL to put after FROM: the cells that contain the keys of the part, and also other keys of the same paths and
 * classes.
 */
export function selectPartCells({ rollup }: RolledSource, { base, part }: Split) {
  const { rows, where } = findRollupScope(rollup, 'cells', base)!;
  where.and(isReadSql(part));
  return { from: `${rows} ${where.sql}`, values: where.values };
}

/**
 * Multiplies, for each path, the groups of its keys by the moments at which they expire, and adds the moments that are
 * copied.
 */
async function countGroups(source: RolledSource, split: Split): Promise<number> {
  const { needs, base } = split;
  // The class of `ttl` follows from the moment, except near the bounds of classes.
  const dimensions = needs.cells.filter((one) => one !== 'ttl' || !needs.moments);
  const { from, values } = selectPartCells(source, split);
  const keyGroups = await source.query<{ path: number; n: number }>(
    `SELECT path, count(*) AS n FROM (SELECT DISTINCT ${['path', ...dimensions].join(', ')} FROM ${from}) GROUP BY 1`,
    values,
  );
  if (!needs.moments) return keyGroups.reduce((sum, { n }) => sum + n, 0);
  const { rows, where } = findRollupScope(source.rollup, 'moments', base)!;
  const moments = await source.query<{ path: number; n: number }>(
    `SELECT path, count(*) AS n FROM (SELECT DISTINCT path, step, begins FROM ${rows} ${where.sql}) GROUP BY 1`,
    where.values,
  );
  const momentsOf = new Map(moments.map(({ path, n }) => [path, n]));
  const copied = moments.reduce((sum, { n }) => sum + n, 0);
  // Add one moment for keys that never expire.
  return keyGroups.reduce((sum, { path, n }) => sum + n * ((momentsOf.get(path) ?? 0) + 1), copied / 2);
}
