import { average, type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { Where } from '@/lib/key-query/where-clause';
import type { TypeShare } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';

/** Keys and sizes per type; percentiles are exact values that occur, not interpolated. */
export async function typeShares(source: Source, where: Where): Promise<TypeShare[]> {
  // Sizes come in allocator classes, so there are few different ones: counting them first makes exact percentiles
  // cheap.
  const rows = await source.query<
    TotalsRow & {
      type: string | null;
      p50: number | null;
      p99: number | null;
      maxBytes: number | null;
      withExpiry: number;
    }
  >(
    `WITH sizes AS (SELECT type, bytes, count(*) AS n, count(expire_at) AS expiring FROM ${source.keys} ${where.sql} GROUP BY 1, 2),
     running AS (SELECT *, sum(n) OVER (PARTITION BY type ORDER BY bytes) AS upto,
       sum(n) FILTER (bytes IS NOT NULL) OVER (PARTITION BY type) AS sized FROM sizes WHERE bytes IS NOT NULL)
     SELECT s.*, p.p50, p.p99 FROM (
       SELECT type, sum(n)::BIGINT AS keys, coalesce(sum(n * bytes), 0)::DOUBLE AS bytes,
         coalesce(sum(n) FILTER (bytes IS NULL), 0)::BIGINT AS bytesUnknown,
         max(bytes) AS maxBytes, sum(expiring)::BIGINT AS withExpiry FROM sizes GROUP BY type) s
     LEFT JOIN (SELECT type, min(bytes) FILTER (upto >= ceil(sized * 0.5)) AS p50,
       min(bytes) FILTER (upto >= ceil(sized * 0.99)) AS p99 FROM running GROUP BY type) p
       ON s.type IS NOT DISTINCT FROM p.type
     ORDER BY keys DESC, type`,
    where.values,
  );
  return rows.map((row) => ({
    type: row.type,
    ...totalsOf(row),
    avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
    p50Bytes: row.p50,
    p99Bytes: row.p99,
    maxBytes: row.maxBytes,
    withExpiry: row.withExpiry,
  }));
}
