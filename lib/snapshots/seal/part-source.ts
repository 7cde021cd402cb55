import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows } from '@/lib/snapshots/query/duckdb';
import { partRows, rareCount, rareRunCount, runRows, type SealSource } from './seal-sql';

/** The rows of parts, and whether any of them is rare. */
export async function partSource(
  connection: DuckDBConnection,
  dir: string,
  parts: readonly string[],
): Promise<SealSource> {
  const rows = partRows(dir, parts);
  return { rows, rare: await isAny(connection, rareCount(rows)), sealed: false };
}

export const isRareRun = (connection: DuckDBConnection, dir: string, run: string): Promise<boolean> =>
  isAny(connection, rareRunCount(runRows(dir, [run])));

const isAny = async (connection: DuckDBConnection, count: string): Promise<boolean> =>
  (await queryRows<{ n: number }>(connection, count))[0]!.n > 0;
