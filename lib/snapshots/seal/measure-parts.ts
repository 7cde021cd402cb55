import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows, quote } from '@/lib/snapshots/query/duckdb';

export interface MeasuredPart {
  file: string;
  rows: number;
}

/** How many rows each part holds; the order is kept. */
export async function measureParts(
  connection: DuckDBConnection,
  dir: string,
  parts: readonly string[],
): Promise<MeasuredPart[]> {
  const rows = await rowsOf(connection, dir, parts);
  return parts.map((file) => ({ file, rows: rows.get(file)! }));
}

/** By file. */
export async function rowsOf(
  connection: DuckDBConnection,
  dir: string,
  some: readonly string[],
): Promise<Map<string, number>> {
  if (some.length === 0) return new Map();
  const files = some.map((file) => quote(path.join(dir, file))).join(', ');
  const found = await queryRows<{ file: string; rows: number }>(
    connection,
    `SELECT file_name AS file, num_rows AS rows FROM parquet_file_metadata([${files}])`,
  );
  return new Map(found.map((row) => [path.basename(row.file), row.rows]));
}

/** Bytes of all rows of each part, as they are in memory (not compressed), by file. */
export async function partBytes(
  connection: DuckDBConnection,
  dir: string,
  some: readonly string[],
): Promise<Map<string, number>> {
  if (some.length === 0) return new Map();
  const files = some.map((file) => quote(path.join(dir, file))).join(', ');
  const found = await queryRows<{ file: string; bytes: number | null }>(
    connection,
    `SELECT file_name AS file, sum(total_uncompressed_size)::DOUBLE AS bytes FROM parquet_metadata([${files}]) GROUP BY 1`,
  );
  return new Map(found.map((row) => [path.basename(row.file), row.bytes ?? 0]));
}
