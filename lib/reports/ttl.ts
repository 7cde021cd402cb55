import { filterWhere } from '@/lib/key-query/filter-where';
import { prefixSql } from '@/lib/key-query/prefix-sql';
import { NO_TOTALS, type TotalsRow, totalsOf, totalsSql } from '@/lib/key-query/totals-sql';
import { MAX_EXPIRE_AT } from '@/lib/model/facts-page';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TtlReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { expiryStorms } from './expiry-storms';
import { bucketSql } from './idle';

/**
 * When keys expire. TTLs count from the end of the scan (now, while it runs). `any` are keys with an expiry, `expired`
 * those of them whose time is over; buckets are half-open [from, to) and hold only what is still to expire.
 */
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const BOUNDS = [
  0,
  1,
  10,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
/** Shorter TTLs mostly mean that expiry is used as a timer. */
const SHORT_SECONDS = 60;
const TIMELINE_POINTS = 500;
/** A few keys that outlive all others by years would press these into one point. */
const DRAWN_SHARE = 0.99;
const DEFAULT_LIMIT = 50;
/** Steps a reader can name, in seconds. */
const STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY];

export async function ttl(source: Source, query: ReportQuery): Promise<TtlReport> {
  const bounds =
    query.buckets && query.buckets.length > 0 ? [0, ...[...new Set(query.buckets)].sort((a, b) => a - b)] : BOUNDS;
  const where = filterWhere(query, source, query.delimiter);
  const asOf = `${where.bind(BigInt(source.asOf))}::BIGINT`;
  const left = `(expire_at - ${asOf})`;
  const rows = await source.query<
    TotalsRow & { state: string; bucket: number | null; short: number; last: number | null }
  >(
    `SELECT CASE WHEN NOT expiry_known THEN 'unknown' WHEN expire_at IS NULL THEN 'none'
         WHEN ${left} <= 0 THEN 'expired' ELSE 'ahead' END AS state,
       CASE WHEN ${left} > 0 THEN ${bucketSql(
         left,
         bounds.map((s) => s * 1000),
       )} END AS bucket,
       ${totalsSql}, count(*) FILTER (${left} > 0 AND ${left} < ${SHORT_SECONDS * 1000}) AS short, max(expire_at) AS last
     FROM ${source.keys} ${where.sql} GROUP BY 1, 2`,
    where.values,
  );
  const of = (...states: string[]) =>
    rows
      .filter((row) => states.includes(row.state))
      .reduce((sum, row) => add(sum, row), { keys: 0, bytes: 0, bytesUnknown: 0 });
  const last = Math.max(...rows.filter((r) => r.state === 'ahead').map((r) => r.last ?? 0), 0);
  return {
    none: of('none'),
    unknown: of('unknown'),
    expired: of('expired'),
    any: of('expired', 'ahead'),
    buckets: bounds.map((fromSeconds, i) => {
      const found = rows.find((row) => row.state === 'ahead' && row.bucket === i);
      return { fromSeconds, toSeconds: bounds[i + 1] ?? null, keys: found?.keys ?? 0, bytes: found?.bytes ?? 0 };
    }),
    ...(last > 0 ? await timeline(source, query, last) : { timeline: [], later: { ...NO_TOTALS } }),
    storms: last > 0 ? await expiryStorms(source, query) : [],
    noExpiryByPrefix: await noExpiryByPrefix(source, query),
    shortest: { keys: rows.reduce((n, row) => n + row.short, 0), underSeconds: SHORT_SECONDS },
  };
}

function add(a: TtlReport['any'], b: TtlReport['any']): TtlReport['any'] {
  return { keys: a.keys + b.keys, bytes: a.bytes + b.bytes, bytesUnknown: a.bytesUnknown + b.bytesUnknown };
}

/**
 * Points begin at multiples of the step; only points with keys are sent. `later` is what the last point leaves out:
 * unless the question itself ends somewhere, the drawing ends where all but one in a hundred keys have expired.
 */
async function timeline(
  source: Source,
  query: ReportQuery,
  last: number,
): Promise<Pick<TtlReport, 'timeline' | 'later'>> {
  const end = query.ttlMax === undefined ? await drawnUntil(source, query) : last;
  const span = (Math.min(end, last) - source.asOf) / 1000;
  const step = STEPS.find((s) => span / s < TIMELINE_POINTS - 1) ?? Math.ceil(span / (TIMELINE_POINTS - 1) / DAY) * DAY;
  const where = filterWhere(query, source, query.delimiter);
  where.and(`expire_at > ${where.bind(BigInt(source.asOf))}::BIGINT`);
  const at = `CASE WHEN expire_at <= ${where.bind(BigInt(Math.ceil(end)))}::BIGINT THEN expire_at // ${step * 1000} END`;
  const rows = await source.query<TotalsRow & { at: number | null }>(
    `SELECT ${at} AS at, ${totalsSql} FROM ${source.keys} ${where.sql} GROUP BY 1 ORDER BY 1`,
    where.values,
  );
  return {
    timeline: rows.flatMap(({ at, keys, bytes }) =>
      at === null ? [] : [{ minuteMs: at * step * 1000, stepSeconds: step, keys, bytes }],
    ),
    later: totalsOf(rows.find((row) => row.at === null)),
  };
}

/**
 * Of the spans that the steps can draw the shortest that holds nearly all; what is beyond the calendar has no place in
 * any.
 */
async function drawnUntil(source: Source, query: ReportQuery): Promise<number> {
  const where = filterWhere(query, source, query.delimiter);
  const asOf = `${where.bind(BigInt(source.asOf))}::BIGINT`;
  where.and(`expire_at > ${asOf} AND expire_at < ${MAX_EXPIRE_AT}`);
  const spans = STEPS.map((step) => step * 1000 * (TIMELINE_POINTS - 2));
  const counts = spans.map((ms, i) => `count(*) FILTER (expire_at - ${asOf} <= ${ms}) AS within${i}`);
  const [row] = await source.query<Record<string, number>>(
    `SELECT count(*) AS keys, ${counts.join(', ')} FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const nearly = Math.ceil((row?.keys ?? 0) * DRAWN_SHARE);
  const found = spans.find((_, i) => (row?.[`within${i}`] ?? 0) >= nearly);
  return found === undefined ? MAX_EXPIRE_AT - 1 : source.asOf + found;
}

async function noExpiryByPrefix(source: Source, query: ReportQuery): Promise<TtlReport['noExpiryByPrefix']> {
  const where = filterWhere(query, source, query.delimiter);
  const prefix = prefixSql(where, query.delimiter ?? ':');
  const never = 'expire_at IS NULL AND expiry_known';
  const rows = await source.query<TotalsRow & { prefix: string; all: number }>(
    `SELECT ${prefix} AS prefix, count(*) AS "all", count(*) FILTER (${never}) AS keys,
       coalesce(sum(bytes) FILTER (${never}), 0)::DOUBLE AS bytes,
       count(*) FILTER (${never} AND bytes IS NULL) AS bytesUnknown
     FROM ${source.keys} ${where.sql} GROUP BY 1 HAVING keys > 0
     ORDER BY bytes DESC, keys DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    where.values,
  );
  return rows.map((row) => ({ prefix: row.prefix, ...totalsOf(row), share: row.keys / row.all }));
}
