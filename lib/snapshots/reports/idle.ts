import type { ReportQuery } from '@/lib/model/reports/query';
import type { IdleReport } from '@/lib/model/reports/reports';
import { sumTotals, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { FREQ_BOUNDS, FREQ_FIRST, IDLE_BOUNDS } from '@/lib/snapshots/rollup/classes';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { CELL_TOTALS, countSql, type RolledSource, selectCells, selectCellsByPrefix, sumBytesSql } from './cells';

const DAY = 86_400;
const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 50;
/** SQL that is true for cells whose idle time is known. */
const IS_IDLE = `idle BETWEEN 1 AND ${FREQ_FIRST - 1}`;

/**
 * The report on idle time: how long keys were not accessed (or, under an LFU policy, how often they are used), and
 * which prefixes have memory that nobody uses. Buckets are half-open [from, to), in seconds or frequency steps, and
 * contain only known values.
 */
export async function buildIdleReport(
  source: RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<IdleReport> {
  const { from, values } = selectCells(source, decision);
  // The scan skips the idle times of shared integers: see docs/SCANNING.md.
  const counted = await source.query<Counted>(
    `SELECT CASE WHEN ${IS_IDLE} THEN idle - 1 END AS idle, CASE WHEN idle >= ${FREQ_FIRST} THEN idle - ${FREQ_FIRST} END AS freq,
       ${countSql(`encoding = 'int' AND idle = 0`)} AS shared, ${CELL_TOTALS}
     FROM ${from} GROUP BY 1, 2`,
    values,
  );
  const isKnown = (field: 'idle' | 'freq') => counted.some((row) => row[field] !== null);
  const kind = isKnown('idle') ? 'idle' : isKnown('freq') ? 'freq' : 'none';
  const idleDays = query.days ?? DEFAULT_DAYS;
  if (kind === 'none') return { kind, buckets: [], unknown: sumTotals(counted), byPrefix: [], idleDays };
  const bounds = kind === 'idle' ? IDLE_BOUNDS : FREQ_BOUNDS;
  return {
    kind,
    buckets: bounds.map((from, i) => {
      const { keys, bytes } = sumTotals(counted.filter((row) => row[kind] === i));
      return { from, to: bounds[i + 1] ?? null, keys, bytes };
    }),
    unknown: sumTotals(counted.filter((row) => row[kind] === null)),
    sharedIntegers: counted.reduce((sum, row) => sum + row.shared, 0),
    byPrefix: kind === 'idle' ? await readIdleByPrefix(source, decision, query, idleDays) : [],
    idleDays,
  };
}

/** Keys by bucket of idle time or frequency; null: unknown. */
type Counted = TotalsRow & { idle: number | null; freq: number | null; shared: number };

async function readIdleByPrefix(
  source: RolledSource,
  decision: Decision,
  query: ReportQuery,
  days: number,
): Promise<IdleReport['byPrefix']> {
  const seconds = days * DAY;
  const { from, values } = selectCellsByPrefix(source, decision);
  const isIdle =
    decision.kind === 'keys'
      ? `idle_seconds >= ${seconds}`
      : `idle BETWEEN ${IDLE_BOUNDS.indexOf(seconds) + 1} AND ${FREQ_FIRST - 1}`;
  const found = await source.query<TotalsRow & { prefix: string; idleKeys: number; idleBytes: number }>(
    `SELECT label AS prefix, ${CELL_TOTALS}, ${countSql(isIdle)} AS idleKeys, ${sumBytesSql(isIdle)} AS idleBytes
     FROM ${from} GROUP BY 1 HAVING idleKeys > 0
     ORDER BY idleBytes DESC, idleKeys DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    values,
  );
  return found.map((row) => ({
    prefix: row.prefix,
    ...toTotals(row),
    idleKeys: row.idleKeys,
    idleBytes: row.idleBytes,
  }));
}
