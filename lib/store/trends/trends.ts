/** The tables of values over time: series, their points, and the scans that the points are from. */

import { type Selectable, sql } from 'kysely';
import type { Dimension, Measure, TrendPin, TrendPoint, TrendScan } from '@/lib/model/snapshots/trends';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { TrendPointsTable, TrendScansTable, TrendSeriesTable } from '@/lib/store/tables/trend-tables';

/** Rows in one statement. SQLite takes 32,766 values at once; a point has eleven. */
const MAX_ROWS = 1000;

export interface SeriesName {
  dim: Dimension;
  key: string;
}

/** The values of a series in one scan. Values that are not given are unknown. */
export interface ScanPoint extends SeriesName {
  values: Partial<Record<Measure, number | null>>;
  /** Whether it is among the largest of its dimension. Dimensions without such an order always say true. */
  top: boolean;
}

export interface StoredSeries extends SeriesName {
  id: number;
  topAt: number;
  pinnedAt: number | null;
}

const toSeries = (row: Selectable<TrendSeriesTable>): StoredSeries => {
  const { instanceId: _, ...series } = fromColumns(row);
  return series;
};
const toPoint = (row: Selectable<TrendPointsTable>): TrendPoint => {
  const { seriesId: _, ...point } = fromColumns(row);
  return point;
};
const toScan = (row: Selectable<TrendScansTable>): TrendScan => {
  const { instanceId: _, ...scan } = fromColumns(row);
  return scan;
};

/** The scans of an instance that added points, oldest first. */
export async function listTrendScans(instanceId: string): Promise<TrendScan[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('trend_scans')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('at')
    .execute();
  return rows.map(toScan);
}

export async function listSeries(instanceId: string, dims: readonly Dimension[], tx?: Tx): Promise<StoredSeries[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('trend_series')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('dim', 'in', dims)
    .orderBy('id')
    .execute();
  return rows.map(toSeries);
}

/** null = there is no such series. */
export async function findSeries(instanceId: string, { dim, key }: SeriesName): Promise<StoredSeries | null> {
  const db = await getDb(undefined);
  const row = await db
    .selectFrom('trend_series')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('dim', '=', dim)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? toSeries(row) : null;
}

/** The points of one series, oldest first. */
export async function readPoints(seriesId: number): Promise<TrendPoint[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('trend_points')
    .selectAll()
    .where('series_id', '=', seriesId)
    .orderBy('at')
    .execute();
  return rows.map(toPoint);
}

/** The points of the series of these dimensions in one scan. */
export async function readPointsAt(
  instanceId: string,
  at: number,
  dims: readonly Dimension[],
): Promise<(SeriesName & { seriesId: number; point: TrendPoint })[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('trend_series')
    .innerJoin('trend_points', 'trend_points.series_id', 'trend_series.id')
    .selectAll('trend_points')
    .select(['trend_series.dim', 'trend_series.key'])
    .where('instance_id', '=', instanceId)
    .where('dim', 'in', dims)
    .where('at', '=', at)
    .execute();
  return rows.map(({ dim, key, ...row }) => ({ dim, key, seriesId: row.series_id, point: toPoint(row) }));
}

/** The two newest scans of each instance with the points of their totals, newest first. */
export async function listNewestTotals(): Promise<{ instanceId: string; scan: TrendScan; point: TrendPoint }[]> {
  const db = await getDb(undefined);
  // Two index lookups per instance. A window function would read and sort the points of all years.
  const newest = (offset: number) => sql<number>`(select own.at from trend_points as own
    where own.series_id = trend_series.id order by own.at desc limit 1 offset ${sql.lit(offset)})`;
  const rows = await db
    .selectFrom('trend_series')
    .innerJoin('trend_points', (join) =>
      join
        .onRef('trend_points.series_id', '=', 'trend_series.id')
        .on((on) => on.or([on('trend_points.at', '=', newest(0)), on('trend_points.at', '=', newest(1))])),
    )
    .innerJoin('trend_scans', (join) =>
      join
        .onRef('trend_scans.instance_id', '=', 'trend_series.instance_id')
        .onRef('trend_scans.at', '=', 'trend_points.at'),
    )
    .selectAll('trend_points')
    .select(['snapshot_id', 'policy_hash', 'databases', 'coverage', 'maxmemory_policy', 'trend_series.instance_id'])
    .where('dim', '=', 'total')
    .orderBy('trend_series.instance_id')
    .orderBy('trend_points.at', 'desc')
    .execute();
  return rows.map((row) => {
    const { instance_id, snapshot_id, policy_hash, databases, coverage, maxmemory_policy, ...point } = row;
    const scan = { instance_id, at: row.at, snapshot_id, policy_hash, databases, coverage, maxmemory_policy };
    return { instanceId: instance_id, scan: toScan(scan), point: toPoint(point) };
  });
}

/** The scan that a snapshot was made by, and its instance; null = the snapshot added no points. */
export async function findTrendScan(snapshotId: string): Promise<{ instanceId: string; scan: TrendScan } | null> {
  const db = await getDb(undefined);
  const row = await db.selectFrom('trend_scans').selectAll().where('snapshot_id', '=', snapshotId).executeTakeFirst();
  return row ? { instanceId: row.instance_id, scan: toScan(row) } : null;
}

/**
 * Stores the points of a scan. Those that it stored before are replaced, because a snapshot may be evaluated again under
 * another policy.
 */
export async function writeScanPoints(
  instanceId: string,
  scan: TrendScan,
  points: readonly ScanPoint[],
  tx: Tx,
): Promise<void> {
  const { at, ...conditions } = toColumns(scan);
  await tx
    .insertInto('trend_scans')
    .values({ instance_id: instanceId, at, ...conditions })
    .onConflict((c) => c.columns(['instance_id', 'at']).doUpdateSet(conditions))
    .execute();
  await tx
    .deleteFrom('trend_points')
    .where('at', '=', at)
    .where('series_id', 'in', (q) => q.selectFrom('trend_series').select('id').where('instance_id', '=', instanceId))
    .execute();
  const ids = await keepSeries(instanceId, at, points, tx);
  for (const some of chunk(points))
    await tx
      .insertInto('trend_points')
      .values(some.map(({ values, ...name }) => ({ series_id: ids.get(toText(name))!, at, ...toColumns(values) })))
      .execute();
}

const toText = ({ dim, key }: SeriesName) => `${dim} ${key}`;

/** Adds the series that are missing and notes which are among the largest. Returns the ids of all. */
async function keepSeries(
  instanceId: string,
  at: number,
  points: readonly ScanPoint[],
  tx: Tx,
): Promise<Map<string, number>> {
  const known = await tx.selectFrom('trend_series').selectAll().where('instance_id', '=', instanceId).execute();
  const byName = new Map(known.map((row) => [toText(row), row]));
  let next = await readLastId(tx);
  const missing = points.filter((point) => !byName.has(toText(point)));
  const added = missing.map(({ dim, key }) => ({ id: ++next, instance_id: instanceId, dim, key, top_at: at }));
  for (const some of chunk(added)) await tx.insertInto('trend_series').values(some).execute();
  const stillTop = points.flatMap((point) => (point.top ? (byName.get(toText(point))?.id ?? []) : []));
  for (const some of chunk(stillTop))
    await tx.updateTable('trend_series').set({ top_at: at }).where('id', 'in', some).where('top_at', '<', at).execute();
  return new Map([...known, ...added].map((row) => [toText(row), row.id]));
}

/** Ids are numbered here, because the rows also move to another database, whose own sequence would begin again. */
async function readLastId(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('trend_series')
    .select((of) => of.fn.max('id').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

const chunk = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, i) => rows.slice(i * MAX_ROWS, (i + 1) * MAX_ROWS));

const WEEK_MS = 7 * 86_400_000;

/**
 * Of the points before `detailUntil` only the last of each week is kept, but all totals. Series that have not been
 * among the largest since `topUntil` are deleted, unless they are pinned.
 */
export async function thinOutPoints(
  instanceId: string,
  { detailUntil, topUntil }: { detailUntil: number; topUntil: number },
  tx: Tx,
): Promise<void> {
  const details = tx
    .selectFrom('trend_series')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('dim', 'not in', ['total', 'node']);
  const old = details.where('pinned_at', 'is', null).where('top_at', '<', topUntil);
  await tx.deleteFrom('trend_points').where('series_id', 'in', old).execute();
  await tx.deleteFrom('trend_series').where('id', 'in', old).execute();
  await tx
    .deleteFrom('trend_points')
    .where('series_id', 'in', details)
    .where('at', '<', detailUntil)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('trend_points as later')
          .select('later.at')
          .whereRef('later.series_id', '=', 'trend_points.series_id')
          .whereRef('later.at', '>', 'trend_points.at')
          .where('later.at', '<', sql<number>`(trend_points.at / ${sql.lit(WEEK_MS)} + 1) * ${sql.lit(WEEK_MS)}`),
      ),
    )
    .execute();
}

/** Pins a series, which need not have points yet. */
export async function pinSeries(instanceId: string, name: TrendPin, at: number, tx: Tx): Promise<void> {
  await tx
    .insertInto('trend_series')
    .values({ id: (await readLastId(tx)) + 1, instance_id: instanceId, ...name, top_at: 0, pinned_at: at })
    .onConflict((c) => c.columns(['instance_id', 'dim', 'key']).doUpdateSet({ pinned_at: at }))
    .execute();
}

/** Returns true if it was pinned. */
export async function unpinSeries(instanceId: string, { dim, key }: TrendPin, tx: Tx): Promise<boolean> {
  const done = await tx
    .updateTable('trend_series')
    .set({ pinned_at: null })
    .where('instance_id', '=', instanceId)
    .where('dim', '=', dim)
    .where('key', '=', key)
    .where('pinned_at', 'is not', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Deletes everything about an instance that is removed. */
export async function forgetTrends(instanceId: string, tx: Tx): Promise<void> {
  const series = tx.selectFrom('trend_series').select('id').where('instance_id', '=', instanceId);
  await tx.deleteFrom('trend_points').where('series_id', 'in', series).execute();
  await tx.deleteFrom('trend_series').where('instance_id', '=', instanceId).execute();
  await tx.deleteFrom('trend_scans').where('instance_id', '=', instanceId).execute();
}
