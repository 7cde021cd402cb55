import type { Totals } from '@/lib/model/reports/reports';

/**
 * SQL for the number of keys, the sum of known bytes and the number of unknown sizes. Sums are DOUBLE, because HUGEINT
 * is slow and 2^53 bytes suffice.
 */
export const totalsSql =
  'count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes, count(*) - count(bytes) AS bytesUnknown';

export type TotalsRow = Record<string, unknown> & { keys: number; bytes: number; bytesUnknown: number };
export const NO_TOTALS: Totals = { keys: 0, bytes: 0, bytesUnknown: 0 };

export function toTotals(row: TotalsRow | undefined): Totals {
  return row ? { keys: row.keys, bytes: row.bytes, bytesUnknown: row.bytesUnknown } : { ...NO_TOTALS };
}

/** Returns the mean size of the keys whose size is known; null: there is none. */
export function computeAverage({ keys, bytes, bytesUnknown }: Totals): number | null {
  const sized = keys - bytesUnknown;
  return sized > 0 ? bytes / sized : null;
}

export const sumTotals = (rows: readonly Totals[]): Totals =>
  rows.reduce<Totals>(
    (sum, row) => ({
      keys: sum.keys + row.keys,
      bytes: sum.bytes + row.bytes,
      bytesUnknown: sum.bytesUnknown + row.bytesUnknown,
    }),
    { ...NO_TOTALS },
  );
