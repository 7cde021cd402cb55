import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { queryRows, quote, type SqlValue } from './duckdb';
import { getSpillFolder } from './spill-folder';
import type { Source } from './with-source';

/** Returns the folder for export files, made if needed. DuckDB can write there. */
export async function makeExportFolder(dir: string): Promise<string> {
  const folder = await getSpillFolder(dir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Streams the Parquet file that `write` makes. Parquet has its table of contents at the end, so it is written to a
 * temporary folder first, which is deleted after the file was read, or if `write` fails.
 */
export async function streamParquetFile(
  dir: string,
  write: (file: string) => Promise<unknown>,
): Promise<ReadableStream<Uint8Array>> {
  const folder = await mkdtemp(path.join(await makeExportFolder(dir), 'export-'));
  const file = path.join(folder, 'rows.parquet');
  try {
    await write(file);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const reading = createReadStream(file);
  reading.once('close', () => void rm(folder, { recursive: true, force: true }));
  return Readable.toWeb(reading) as ReadableStream<Uint8Array>;
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
