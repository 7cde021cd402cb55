/**
 * Percentiles of the sizes of each type. They are exact below 1 KiB and at most 1.6 % too small above: sizes are counted
 * in steps (lib/snapshots/rollup/classes.ts), of which there are few, so that no percentile keeps every value in memory.
 */

import type { TypesReport } from '@/lib/model/reports/reports';
import { computeAverage, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import type { Source } from '@/lib/snapshots/query/with-source';
import type { Rows } from '@/lib/snapshots/reports/cells';

/** A type and its sums. */
export interface TypeSums extends TotalsRow {
  type: string | null;
  maxBytes: number | null;
  withExpiry: number;
}

interface Percentiles extends Record<string, unknown> {
  type: string | null;
  p50: number;
  p99: number;
}

export const readPercentiles = ({ query }: Pick<Source, 'query'>, { from, values }: Rows): Promise<Percentiles[]> =>
  query<Percentiles>(
    `WITH steps AS (SELECT type, step, sum(n) AS n FROM ${from} GROUP BY 1, 2),
     running AS (SELECT *, sum(n) OVER (PARTITION BY type ORDER BY step) AS upto, sum(n) OVER (PARTITION BY type) AS sized FROM steps)
     SELECT type, min(step) FILTER (upto >= ceil(sized * 0.5)) AS p50, min(step) FILTER (upto >= ceil(sized * 0.99)) AS p99
     FROM running GROUP BY type`,
    values,
  );

/** Adds percentiles to types, in the order of `types`. */
export const withPercentiles = (
  types: readonly TypeSums[],
  percentiles: readonly Percentiles[],
): TypesReport['types'] =>
  types.map((row) => {
    const found = percentiles.find(({ type }) => type === row.type);
    return {
      type: row.type,
      ...addAverage(row),
      p50Bytes: found?.p50 ?? null,
      p99Bytes: found?.p99 ?? null,
      maxBytes: row.maxBytes,
      withExpiry: row.withExpiry,
    };
  });

export const addAverage = (row: TotalsRow) => ({ ...toTotals(row), avgBytes: computeAverage(row) });
