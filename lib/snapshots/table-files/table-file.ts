import { stringify } from 'csv-stringify/sync';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { Cell, CellKind, ReportTable } from '@/lib/model/reports/table';
import { CSV_OPTIONS } from '@/lib/model/text/csv-options';

const UNITS: { [K in CellKind]?: string } = { bytes: 'bytes', share: '0–1', seconds: 's', ms: 'ms' };

/**
 * Encodes a table as a file, with numbers that a program can read: sizes in bytes, times in seconds, shares from 0 to
 * 1, with the unit in each header. The CSV is made for spreadsheets, like that of keys
 * (lib/snapshots/reports/export/stream-key-export.ts). The database writes Parquet: table-parquet.ts.
 */
export function encodeTable(table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string {
  return encodeHead(table, format) + encodeRows(table, format);
}

/** Encodes the text before the rows. */
export const encodeHead = (table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string =>
  format === 'csv' ? `\ufeff${stringify([listHeads(table)], CSV_OPTIONS)}` : '';

/** Encodes rows as text. A list that comes page by page is a file of these texts, one after the other. */
export function encodeRows(table: ReportTable, format: Exclude<FileFormat, 'parquet'>): string {
  if (format === 'csv')
    return stringify(
      table.rows.map((row) => toCells(table, row)),
      CSV_OPTIONS,
    );
  const heads = listHeads(table);
  return table.rows
    .map((row) => {
      const cells = toCells(table, row);
      return `${JSON.stringify(Object.fromEntries(heads.map((head, i) => [head, cells[i]])))}\n`;
    })
    .join('');
}

/** Returns the headers of the columns. A span takes two columns; its words (`never`) are in the first. */
export function listHeads({ columns }: ReportTable): string[] {
  return columns.flatMap(({ head, kind }) => {
    if (kind === 'span') return [`${head}: from (s)`, `${head}: to (s)`];
    const unit = UNITS[kind];
    return [unit === undefined ? head : `${head} (${unit})`];
  });
}

function toCells({ columns }: ReportTable, row: readonly Cell[]): (string | number | null)[] {
  return row.flatMap((cell, i): (string | number | null)[] => {
    if (columns[i]!.kind === 'span') return Array.isArray(cell) ? [cell[0], cell[1]] : [cell as string | null, null];
    return [typeof cell === 'string' ? replaceLoneSurrogates(cell) : (cell as number | null)];
  });
}

/** Replaces lone surrogates, which have no UTF-8 encoding: a strict JSON reader would refuse the whole file. */
const replaceLoneSurrogates = (text: string) => Buffer.from(text).toString();
