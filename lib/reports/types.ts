import { filterWhere } from '@/lib/key-query/filter-where';
import { average, type TotalsRow, totalsOf, totalsSql } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { typeShares } from './type-shares';

/** How keys and bytes spread over types and over encodings. */
export async function types(source: Source, query: ReportQuery): Promise<TypesReport> {
  const where = filterWhere(query, source, query.delimiter);
  const encodings = await source.query<TotalsRow & { type: string | null; encoding: string | null }>(
    `SELECT type, encoding, ${totalsSql} FROM ${source.keys} ${where.sql} GROUP BY type, encoding
     ORDER BY keys DESC, type, encoding`,
    where.values,
  );
  return {
    types: await typeShares(source, where),
    encodings: encodings.map((row) => ({
      type: row.type,
      encoding: row.encoding,
      ...totalsOf(row),
      avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
    })),
  };
}
