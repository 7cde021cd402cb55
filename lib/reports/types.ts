import { average, type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import { factsOf, type RolledSource } from './facts';
import { typeShares } from './type-shares';

/** How keys and bytes spread over types and over encodings. */
export async function types(source: RolledSource, query: ReportQuery): Promise<TypesReport> {
  const { rows, where, totals } = factsOf(source, query);
  const encodings = await source.query<TotalsRow & { type: string | null; encoding: string | null }>(
    `SELECT type, encoding, ${totals} FROM ${rows} ${where.sql} GROUP BY type, encoding
     ORDER BY keys DESC, type, encoding`,
    where.values,
  );
  return {
    types: await typeShares(source, query),
    encodings: encodings.map((row) => ({
      type: row.type,
      encoding: row.encoding,
      ...totalsOf(row),
      avgBytes: average(row.bytes, row.keys - row.bytesUnknown),
    })),
  };
}
