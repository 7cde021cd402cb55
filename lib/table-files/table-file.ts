import { stringify } from 'csv-stringify/sync';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { Cell, CellKind, ReportTable } from '@/lib/model/reports/table';
import { CSV_OPTIONS } from '@/lib/model/text/csv-options';

const UNITS: { [K in CellKind]?: string } = { bytes: 'bytes', share: '0–1', seconds: 's', ms: 'ms' };

/**
 * A table as a file, in numbers a program can read: sizes in bytes, times in seconds, shares from 0 to 1, each said in
 * the head. A CSV is made for spreadsheets, as that of keys (lib/reports/export/stream-key-export.ts). Parquet is made
 * by the database: table-parquet.ts.
 */
export function fileOfTable(table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string {
  return headOfFile(table, format) + rowsOfFile(table, format);
}

/** What stands before the rows. */
export const headOfFile = (table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string =>
  format === 'csv' ? `\ufeff${stringify([headsOf(table)], CSV_OPTIONS)}` : '';

/** A list that comes page by page is a file of these, one behind the other. */
export function rowsOfFile(table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string {
  if (format === 'csv')
    return stringify(
      table.rows.map((row) => cellsOf(table, row)),
      CSV_OPTIONS,
    );
  const heads = headsOf(table);
  return table.rows
    .map((row) => {
      const cells = cellsOf(table, row);
      return `${JSON.stringify(Object.fromEntries(heads.map((head, i) => [head, cells[i]])))}\n`;
    })
    .join('');
}

/** A span is two columns; its words (`never`) stand in the first. */
export function headsOf({ columns }: ReportTable): string[] {
  return columns.flatMap(({ head, kind }) => {
    if (kind === 'span') return [`${head}: from (s)`, `${head}: to (s)`];
    const unit = UNITS[kind];
    return [unit === undefined ? head : `${head} (${unit})`];
  });
}

function cellsOf({ columns }: ReportTable, row: readonly Cell[]): (string | number | null)[] {
  return row.flatMap((cell, i): (string | number | null)[] => {
    if (columns[i]!.kind === 'span') return Array.isArray(cell) ? [cell[0], cell[1]] : [cell as string | null, null];
    return [typeof cell === 'string' ? whole(cell) : (cell as number | null)];
  });
}

/** Halves of surrogate pairs have no bytes in UTF-8: a reader of JSON that asks for them refuses the whole file. */
const whole = (text: string) => Buffer.from(text).toString();
