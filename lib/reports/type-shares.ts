import type { TypeShare } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { average, type TotalsRow, totalsOf, totalsSql } from './totals-sql';
import type { Where } from './where';

/** Keys and sizes per type; percentiles are exact values that occur, not interpolated. */
export async function typeShares(source: Source, where: Where): Promise<TypeShare[]> {
  const rows = await source.query<
    TotalsRow & {
      type: string | null;
      q: { items: number[] } | number[] | null;
      maxBytes: number | null;
      withExpiry: number;
      p50: number | null;
      p99: number | null;
    }
  >(
    `SELECT type, ${totalsSql}, quantile_disc(bytes, 0.5) AS p50, quantile_disc(bytes, 0.99) AS p99,
       max(bytes) AS maxBytes, count(expire_at) AS withExpiry
     FROM ${source.keys} ${where.sql} GROUP BY type ORDER BY keys DESC, type`,
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
