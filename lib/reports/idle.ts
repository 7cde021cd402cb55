import { filterWhere } from '@/lib/key-query/filter-where';
import { prefixSql } from '@/lib/key-query/prefix-sql';
import { type TotalsRow, totalsOf, totalsSql } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { IdleReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';

/**
 * How long nobody touched the keys (or, under an LFU policy, how often they are used), and which prefixes hold what
 * nobody needs. Buckets are half-open [from, to), seconds or frequency steps; only known values are in them.
 */
const HOUR = 3600;
const DAY = 86_400;
const IDLE_BOUNDS = [0, 60, 600, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 180 * DAY];
const FREQ_BOUNDS = [0, 1, 2, 5, 10, 20, 50, 100, 200];
const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 50;

export async function idle(source: Source, query: ReportQuery): Promise<IdleReport> {
  const where = filterWhere(query, source, query.delimiter);
  const [known] = await source.query<TotalsRow & { idles: number; freqs: number; shared: number }>(
    `SELECT count(idle_seconds) AS idles, count(freq) AS freqs, count(*) FILTER (${SHARED}) AS shared, ${totalsSql} FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const kind = known!.idles > 0 ? 'idle' : known!.freqs > 0 ? 'freq' : 'none';
  const idleDays = query.days ?? DEFAULT_DAYS;
  if (kind === 'none') return { kind, buckets: [], unknown: totalsOf(known), byPrefix: [], idleDays };
  const column = kind === 'idle' ? 'idle_seconds' : 'freq';
  const bounds = kind === 'idle' ? IDLE_BOUNDS : FREQ_BOUNDS;
  const counted = await source.query<TotalsRow & { bucket: number | null }>(
    `SELECT ${bucketSql(column, bounds)} AS bucket, ${totalsSql} FROM ${source.keys} ${where.sql} GROUP BY 1`,
    where.values,
  );
  return {
    kind,
    buckets: bounds.map((from, i) => {
      const found = counted.find((row) => row.bucket === i);
      return { from, to: bounds[i + 1] ?? null, keys: found?.keys ?? 0, bytes: found?.bytes ?? 0 };
    }),
    unknown: totalsOf(counted.find((row) => row.bucket === null)),
    sharedIntegers: known!.shared,
    byPrefix: kind === 'idle' ? await idleByPrefix(source, query, idleDays) : [],
    idleDays,
  };
}

/** What the scan leaves out: see docs/SCANNING.md. */
const SHARED = `encoding = 'int' AND idle_seconds IS NULL AND freq IS NULL`;

/** Index of the bucket a value falls in; NULL stays NULL. */
export function bucketSql(value: string, bounds: readonly number[]): string {
  const cases = bounds.map((bound, i) => `WHEN ${value} >= ${bound} THEN ${i}`).reverse();
  return `CASE WHEN ${value} IS NULL THEN NULL ${cases.join(' ')} ELSE 0 END`;
}

async function idleByPrefix(source: Source, query: ReportQuery, days: number): Promise<IdleReport['byPrefix']> {
  const where = filterWhere(query, source, query.delimiter);
  const prefix = prefixSql(where, query.delimiter ?? ':');
  const isIdle = `idle_seconds >= ${where.bind(BigInt(Math.round(days * DAY)))}::BIGINT`;
  const rows = await source.query<TotalsRow & { prefix: string; idleKeys: number; idleBytes: number }>(
    `SELECT ${prefix} AS prefix, ${totalsSql}, count(*) FILTER (${isIdle}) AS idleKeys,
       coalesce(sum(bytes) FILTER (${isIdle}), 0)::DOUBLE AS idleBytes
     FROM ${source.keys} ${where.sql} GROUP BY 1 HAVING idleKeys > 0
     ORDER BY idleBytes DESC, idleKeys DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    where.values,
  );
  return rows.map((row) => ({
    prefix: row.prefix,
    ...totalsOf(row),
    idleKeys: row.idleKeys,
    idleBytes: row.idleBytes,
  }));
}
