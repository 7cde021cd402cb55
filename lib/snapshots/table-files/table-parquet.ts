import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportTable } from '@/lib/model/reports/table';
import { config } from '@/lib/runtime/config';
import { quote, withConnection } from '@/lib/snapshots/query/duckdb';
import { streamParquetFile, writeParquet } from '@/lib/snapshots/query/export-file';
import { encodeTable, listHeads } from './table-file';

export interface ParquetColumn {
  name: string;
  kind: 'BIGINT' | 'DOUBLE' | 'VARCHAR';
}

/**
 * A table may belong to no snapshot. This uses the shared database of all snapshots, which can read the folder that the
 * file is in.
 */
const ANY_SNAPSHOT = 'none';

/**
 * Encodes a table as Parquet, with the same columns as its other files. A column of whole numbers is BIGINT, other
 * numbers are DOUBLE, and a column that also contains words (`never`) is VARCHAR.
 */
export function encodeTableParquet(table: ReportTable, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const lines = encodeTable(table, 'jsonl');
  return encodeLinesParquet(inferColumns(listHeads(table), lines), [lines], signal);
}

/** Encodes JSON Lines, which may come one after the other, as Parquet with these columns. */
export function encodeLinesParquet(
  columns: readonly ParquetColumn[],
  lines: Iterable<string> | AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const dir = path.join(config.snapshotsDir, ANY_SNAPSHOT);
  return streamParquetFile(dir, (file) => {
    const rows = `${file}.jsonl`;
    const kinds = columns.map(({ name, kind }) => `${quote(name)}: ${quote(kind)}`).join(', ');
    const select = `SELECT * FROM read_json(${quote(rows)}, format = 'newline_delimited', columns = {${kinds}})`;
    // The lines are written with a connection of the lane too, because an audit log may be gigabytes.
    return withConnection(dir, { lane: 'export', signal }, async (connection) => {
      await writeFile(rows, lines, { mode: 0o600, signal });
      await writeParquet({ connection }, select, [], file);
    });
  });
}

/**
 * Returns the types that the columns declare, for a table whose rows are not all available yet. Counts and sizes are
 * whole numbers.
 */
export const listDeclaredColumns = (table: ReportTable): ParquetColumn[] =>
  table.columns.flatMap(({ kind }, i): ParquetColumn[] => {
    const names = listHeads({ columns: [table.columns[i]!], rows: [] });
    const type =
      kind === 'name' || kind === 'text' ? 'VARCHAR' : kind === 'number' || kind === 'bytes' ? 'BIGINT' : 'DOUBLE';
    return names.map((name) => ({ name, kind: type }));
  });

/** Returns the types that suit all rows. */
function inferColumns(heads: readonly string[], lines: string): ParquetColumn[] {
  const rows = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  return heads.map((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    if (values.length === 0 || values.some((value) => typeof value !== 'number')) return { name, kind: 'VARCHAR' };
    return { name, kind: values.every((value) => Number.isSafeInteger(value)) ? 'BIGINT' : 'DOUBLE' };
  });
}
