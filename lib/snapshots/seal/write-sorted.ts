import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { commitFile } from '@/lib/files/durable';
import { diskError } from '@/lib/snapshots/folder/durable';
import { queryRows, quote, type SqlValue } from '@/lib/snapshots/query/duckdb';

// Level 1 is as small as 3 here and twice as fast; version 2 stores numbers as bit-packed differences.
const FORMAT = 'FORMAT parquet, PARQUET_VERSION v2';
// Names repeat nowhere: the sooner their dictionary is given up, the less is done for nothing.
const DICTIONARIES = 'DICTIONARY_SIZE_LIMIT 4096';
/** Whether a value is in a row group is asked of sealed files only. */
const COMPRESSION = {
  zstd: 'COMPRESSION zstd, COMPRESSION_LEVEL 1',
  lz4: 'COMPRESSION lz4, WRITE_BLOOM_FILTER false',
};
/** One group is held in memory while it is written, whatever the names are. */
export const MAX_GROUP_BYTES = 16 * 1024 * 1024;
const VECTOR_ROWS = 2048;

interface WriteSorted {
  groupRows: number;
  rowBytes: number;
  groupBytes?: number;
  compression?: keyof typeof COMPRESSION;
  /** A run that was overtaken may still write a file of this name: until it is whole, each has one of its own. */
  shared?: boolean;
}

/**
 * Writes the rows of `select` in their order; the file has its name only when whole and on disk. `groupRows`: of a row
 * group, fewer where rows of `rowBytes` would make it too large. Returns how many rows were written.
 */
export async function writeSorted(
  connection: DuckDBConnection,
  dir: string,
  file: string,
  select: string,
  values: readonly SqlValue[],
  { groupRows, rowBytes, groupBytes = MAX_GROUP_BYTES, compression = 'zstd', shared = false }: WriteSorted,
): Promise<number> {
  const temporary = path.join(dir, shared ? `${file}.${randomBytes(4).toString('hex')}.tmp` : `${file}.tmp`);
  const fitting = Math.floor(groupBytes / Math.max(1, rowBytes) / VECTOR_ROWS) * VECTOR_ROWS;
  const rows = Math.max(VECTOR_ROWS, Math.min(groupRows, fitting));
  try {
    const [written] = await queryRows<{ Count: number }>(
      connection,
      `COPY (${select}) TO ${quote(temporary)} (${FORMAT}, ${COMPRESSION[compression]}, ${DICTIONARIES}, ROW_GROUP_SIZE ${rows})`,
      values,
    );
    await commitFile(temporary, path.join(dir, file));
    return written!.Count;
  } catch (error) {
    await rm(temporary, { force: true });
    throw await diskError(error, dir);
  }
}
