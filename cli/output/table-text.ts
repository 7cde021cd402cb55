import { formatByteCount, formatDuration, formatNumber, formatPercent, safe } from '@/cli/units';
import type { Cell, CellKind, ReportTable } from '@/lib/model/reports/table';

const formatSpan = (from: number, to: number | null) =>
  `${formatDuration(from)} – ${to === null ? '∞' : formatDuration(to)}`;
const NUMBERS: { [K in CellKind]?: (value: number) => string } = {
  number: formatNumber,
  bytes: formatByteCount,
  share: (value) => formatPercent(value, 1),
  seconds: formatDuration,
  ms: (value) => `${value.toFixed(1)} ms`,
};

function formatCell(value: Cell, kind: CellKind): string {
  if (value === null) return '—';
  if (typeof value === 'string') return safe(value);
  if (typeof value === 'number') return (NUMBERS[kind] ?? String)(value);
  return formatSpan(...value);
}

/** A table of a report as text for the terminal. `right`: indexes of the columns with numbers. */
export function formatTable({ columns, rows }: ReportTable): { head: string[]; rows: string[][]; right: number[] } {
  return {
    head: columns.map(({ head }) => head),
    rows: rows.map((row) => row.map((cell, i) => formatCell(cell, columns[i]!.kind))),
    right: columns.flatMap(({ kind }, i) => (kind in NUMBERS ? [i] : [])),
  };
}
