import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { CELL_TOTALS, countSql, HAS_EXPIRY, type RolledSource, withSteps } from './cells';
import { addAverage, readPercentiles, type TypeSums, withPercentiles } from './grouping/percentiles';
import { findSettingSavings } from './setting-savings';

type Share = TypeSums & { encoding: string | null; ofEncoding: boolean };

/** Returns how keys and bytes are distributed over types and encodings. */
export async function buildTypesReport(
  source: RolledSource,
  decision: Decision,
  { savings, ...query }: ReportQuery,
): Promise<TypesReport> {
  const shares = await withSteps(
    source,
    decision,
    { cells: 'type, encoding, ttl', steps: 'sizes' },
    async (cells, steps): Promise<TypesReport> => {
      // Count types and the encodings of each in one statement, because most of its cost is planning.
      const counted = await source.query<Share>(
        `SELECT type, encoding, grouping(encoding) = 0 AS ofEncoding, ${CELL_TOTALS}, max(maxBytes) AS maxBytes, ${countSql(HAS_EXPIRY)} AS withExpiry
         FROM ${cells.from} GROUP BY GROUPING SETS ((type), (type, encoding)) ORDER BY keys DESC, type, encoding`,
        cells.values,
      );
      const ofTypes = counted.filter(({ ofEncoding }) => !ofEncoding);
      return {
        types: withPercentiles(ofTypes, await readPercentiles(source, steps)),
        encodings: counted
          .filter(({ ofEncoding }) => ofEncoding)
          .map((row) => ({ type: row.type, encoding: row.encoding, ...addAverage(row) })),
      };
    },
  );
  return savings ? { ...shares, savings: await findSettingSavings(source, query) } : shares;
}
