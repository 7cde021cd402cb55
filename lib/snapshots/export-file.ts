import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { queryRows, quote, type SqlValue } from './duckdb';
import type { Source } from './with-source';

/** Where exports are made: beside the snapshots, so that DuckDB may write there. Swept when the database opens. */
export async function exportFolder(dir: string): Promise<string> {
  const folder = path.join(path.dirname(path.resolve(dir)), '.duckdb-tmp');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Runs `select` (ours, values bound) into a Parquet file. */
export async function writeParquet(
  source: Source,
  select: string,
  values: readonly SqlValue[],
  file: string,
): Promise<void> {
  await queryRows(source.connection, `COPY (${select}) TO ${quote(file)} (FORMAT parquet, COMPRESSION zstd)`, values);
}
