/** How a cell is formatted: `span` is a range of seconds, open if the end is null; `share` is 0…1. */
export type CellKind = 'name' | 'text' | 'number' | 'bytes' | 'share' | 'seconds' | 'ms' | 'span';

/** A text is shown unchanged, whatever the kind of the column; null = unknown. */
export type Cell = string | number | null | readonly [from: number, to: number | null];

export type Column<Row> = readonly [head: string, kind: CellKind, of: (row: Row) => Cell];

/** A report as plain cells, without layout or language. */
export interface ReportTable {
  columns: { head: string; kind: CellKind }[];
  rows: Cell[][];
}

export function buildTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): ReportTable {
  return {
    columns: columns.map(([head, kind]) => ({ head, kind })),
    rows: rows.map((row) => columns.map(([, , of]) => of(row))),
  };
}

/** Formats a time (epoch ms) as ISO 8601 in UTC. */
export const formatMoment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
