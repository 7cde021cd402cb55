import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { commitFile } from '@/lib/files/durable';
import { diskError } from '@/lib/snapshots/folder/durable';
import { queryRows, quote, type SqlValue } from '@/lib/snapshots/query/duckdb';

// Level 1 is as small as 3 here and twice as fast; version 2 stores numbers as bit-packed differences.
const FORMAT = 'FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2';
/** One group is held in memory while it is written, whatever the names are. */
const MAX_GROUP_BYTES = 16 * 1024 * 1024;
const VECTOR_ROWS = 2048;

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
  { groupRows, rowBytes }: { groupRows: number; rowBytes: number },
): Promise<number> {
  const temporary = path.join(dir, `${file}.tmp`);
  const fitting = Math.floor(MAX_GROUP_BYTES / Math.max(1, rowBytes) / VECTOR_ROWS) * VECTOR_ROWS;
  const rows = Math.max(VECTOR_ROWS, Math.min(groupRows, fitting));
  try {
    const [written] = await queryRows<{ Count: number }>(
      connection,
      `COPY (${select}) TO ${quote(temporary)} (${FORMAT}, ROW_GROUP_SIZE ${rows})`,
      values,
    );
    await commitFile(temporary, path.join(dir, file));
    return written!.Count;
  } catch (error) {
    await rm(temporary, { force: true });
    throw await diskError(error, dir);
  }
}
