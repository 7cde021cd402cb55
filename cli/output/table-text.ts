import { bytes, duration, number, percent, safe } from '@/cli/units';
import type { Cell, CellKind, ReportTable } from '@/lib/model/reports/table';

const span = (from: number, to: number | null) => `${duration(from)} – ${to === null ? '∞' : duration(to)}`;
const NUMBERS: { [K in CellKind]?: (value: number) => string } = {
  number,
  bytes,
  share: (value) => percent(value, 1),
  seconds: duration,
  ms: (value) => `${value.toFixed(1)} ms`,
};

function cellText(value: Cell, kind: CellKind): string {
  if (value === null) return '—';
  if (typeof value === 'string') return safe(value);
  if (typeof value === 'number') return (NUMBERS[kind] ?? String)(value);
  return span(...value);
}

/** A table of a report as text for the terminal. `right` = indexes of the columns with numbers. */
export function tableText({ columns, rows }: ReportTable): { head: string[]; rows: string[][]; right: number[] } {
  return {
    head: columns.map(({ head }) => head),
    rows: rows.map((row) => row.map((cell, i) => cellText(cell, columns[i]!.kind))),
    right: columns.flatMap(({ kind }, i) => (kind in NUMBERS ? [i] : [])),
  };
}
