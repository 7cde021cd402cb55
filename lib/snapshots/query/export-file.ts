import { mkdir } from 'node:fs/promises';
import { queryRows, quote, type SqlValue } from './duckdb';
import { spillFolder } from './spill-folder';
import type { Source } from './with-source';

/** Where exports are made: where DuckDB may write. */
export async function exportFolder(dir: string): Promise<string> {
  const folder = await spillFolder(dir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Runs `select` (ours, values bound) into a Parquet file; answers how many rows it has. */
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
