import { mkdir } from 'node:fs/promises';
import { queryRows, quote, type SqlValue } from './duckdb';
import { getSpillFolder } from './spill-folder';
import type { Source } from './with-source';

/** Returns the folder for export files, made if needed. DuckDB can write there. */
export async function exportFolder(dir: string): Promise<string> {
  const folder = await getSpillFolder(dir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Writes the rows of `select` into a Parquet file; returns their number. `select` is SQL text of Colonnade; what users
 * wrote is bound as `values`.
 */
export async function writeParquet(
  source: Pick<Source, 'connection'>,
  select: string,
  values: readonly SqlValue[],
  file: string,
): Promise<number> {
  const [row] = await queryRows<{ Count: number }>(
    source.connection,
    `COPY (${select}) TO ${quote(file)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)`,
    values,
  );
  return row?.Count ?? 0;
}
