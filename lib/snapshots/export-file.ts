import path from 'node:path';
import { queryRows, quote, type SqlValue, temporaryFolder } from './duckdb';
import type { Source } from './with-source';

/** Where exports are made: beside the snapshots, so that DuckDB may write there. */
export function exportFolder(dir: string): Promise<string> {
  return temporaryFolder(path.dirname(path.resolve(dir)));
}

/** Runs `select` (ours, values bound) into a Parquet file. */
export async function writeParquet(
  source: Source,
  select: string,
  values: readonly SqlValue[],
  file: string,
): Promise<void> {
  await queryRows(
    source.connection,
    `COPY (${select}) TO ${quote(file)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)`,
    values,
  );
}
