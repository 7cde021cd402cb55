import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows, quote } from '@/lib/snapshots/query/duckdb';
import { partRows, rareCount, runRows, runSelect, type SealSource } from './seal-sql';
import type { SealingState } from './sealing-state';
import { writeSorted } from './write-sorted';

/** How much is in memory at once. Tests seal with small ones. */
export interface SealLimits {
  /** Rows and bytes of the parts that are sorted together: what the memory of the database holds, spilling little. */
  runRows: number;
  runBytes: number;
  /** Open files, and their tables of contents, which the database's limit does not count. */
  runParts: number;
  /** Small, so that a range reads little of what lies beside it in each run. */
  runGroupRows: number;
  rangeRows: number;
  rangeBytes: number;
  fileGroupRows: number;
}

/** 100M keys are 50 runs and 100 ranges. Parts hold 250,000 rows and a few: eight of them are a run. */
export const SEAL_LIMITS: SealLimits = {
  runRows: 2_100_000,
  runBytes: 400 * 1024 * 1024,
  runParts: 64,
  runGroupRows: 32_768,
  rangeRows: 1_000_000,
  rangeBytes: 200 * 1024 * 1024,
  fileGroupRows: 65_536,
};

/** One sealing: where, with what, how far, and who wants to know. */
export interface Sealing {
  dir: string;
  connection: DuckDBConnection;
  limits: SealLimits;
  /** Mean of the parts. */
  rowBytes: number;
  state: SealingState;
  /** Makes the state durable, after each run and range; throws when sealing is to stop. */
  checkpoint(): Promise<void>;
}

/** How many rows each part holds; the order is kept. */
export async function measureParts(
  connection: DuckDBConnection,
  dir: string,
  parts: readonly string[],
): Promise<SealingState['parts']> {
  if (parts.length === 0) return [];
  const files = parts.map((part) => quote(path.join(dir, part))).join(', ');
  const found = await queryRows<{ file: string; rows: number }>(
    connection,
    `SELECT file_name AS file, num_rows AS rows FROM parquet_file_metadata([${files}])`,
  );
  const rows = new Map(found.map((row) => [path.basename(row.file), row.rows]));
  return parts.map((file) => ({ file, rows: rows.get(file)! }));
}

/** Bytes of all rows of the parts, as they are in memory (not compressed), by the number of rows. */
export async function meanRowBytes(
  connection: DuckDBConnection,
  dir: string,
  parts: SealingState['parts'],
): Promise<number> {
  if (parts.length === 0) return 0;
  const files = parts.map(({ file }) => quote(path.join(dir, file))).join(', ');
  const [found] = await queryRows<{ bytes: number | null }>(
    connection,
    `SELECT sum(total_uncompressed_size)::DOUBLE AS bytes FROM parquet_metadata([${files}])`,
  );
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return (found?.bytes ?? 0) / Math.max(1, rows);
}

/**
 * Sorts a few parts at a time by name into files of their own, until all are. What fits one run needs none: its parts
 * are the one range.
 */
export async function writeRuns(sealing: Sealing): Promise<void> {
  const { dir, connection, limits, state } = sealing;
  for (;;) {
    const first = state.runs.reduce((sum, run) => sum + run.parts, 0);
    const next = nextRun(sealing, first);
    if (next.length === 0 || (first === 0 && next.length === state.parts.length)) return;
    const source = await sourceOf(connection, partRows(dir, filesOf(next), first));
    const file = `run-${String(state.runs.length).padStart(4, '0')}.parquet`;
    const rows = await writeSorted(connection, dir, file, runSelect(source), [], {
      groupRows: limits.runGroupRows,
      rowBytes: sealing.rowBytes,
    });
    state.runs.push({ file, parts: next.length, rows, rare: source.rare });
    await sealing.checkpoint();
  }
}

/** What the ranges read: the runs, or the parts where these are few. */
export async function sealSource({ dir, connection, state: { runs, parts } }: Sealing): Promise<SealSource> {
  if (runs.length === 0) return sourceOf(connection, partRows(dir, filesOf(parts), 0));
  return { rows: runRows(dir, filesOf(runs)), rare: runs.some((run) => run.rare) };
}

const filesOf = (some: readonly { file: string }[]) => some.map(({ file }) => file);

async function sourceOf(connection: DuckDBConnection, rows: string): Promise<SealSource> {
  return { rows, rare: (await queryRows<{ n: number }>(connection, rareCount(rows)))[0]!.n > 0 };
}

function nextRun({ limits, rowBytes, state }: Sealing, first: number): SealingState['parts'] {
  const max = Math.max(1, Math.min(limits.runRows, limits.runBytes / Math.max(1, rowBytes)));
  let rows = 0;
  let end = first;
  for (; end < state.parts.length && end - first < limits.runParts; end++) {
    rows += state.parts[end]!.rows;
    if (rows > max && end > first) break;
  }
  return state.parts.slice(first, end);
}
