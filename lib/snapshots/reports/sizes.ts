import type { SizeCounts, SizesReport } from '@/lib/model/reports/reports';
import { sumTotals, type TotalsRow } from '@/lib/snapshots/key-query/totals-sql';
import { SIZE_BOUNDS } from '@/lib/snapshots/rollup/classes';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { CELL_TOTALS, type RolledSource, selectCells } from './cells';

type Counted = TotalsRow & { type: string | null; class: number };

/** The report on sizes is a histogram of MEMORY USAGE by type: how many keys of each type take how much memory. */
export async function buildSizesReport(source: RolledSource, decision: Decision): Promise<SizesReport> {
  const { from, values } = selectCells(source, decision);
  const counted = await source.query<Counted>(
    `SELECT type, size AS class, ${CELL_TOTALS} FROM ${from} GROUP BY 1, 2`,
    values,
  );
  // Class 0 is unknown; the classes of bounds follow.
  const last = Math.max(0, ...counted.map((row) => row.class));
  const types = new Map<string | null, Counted[]>();
  for (const row of counted) types.set(row.type, [...(types.get(row.type) ?? []), row]);
  const byType = [...types].map(([type, rows]) => ({ type, ...sumTotals(rows), counts: sumByClass(rows, last) }));
  return {
    ...sumTotals(counted),
    bounds: SIZE_BOUNDS.slice(0, last),
    all: sumByClass(counted, last),
    byType: byType.sort((a, b) => b.bytes - a.bytes || b.keys - a.keys || (String(a.type) < String(b.type) ? -1 : 1)),
  };
}

function sumByClass(rows: readonly Counted[], last: number): SizeCounts {
  const counts: SizeCounts = { keys: new Array(last).fill(0), bytes: new Array(last).fill(0) };
  for (const row of rows) {
    if (row.class === 0) continue;
    counts.keys[row.class - 1]! += row.keys;
    counts.bytes[row.class - 1]! += row.bytes;
  }
  return counts;
}
