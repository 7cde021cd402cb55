import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { processWide } from '@/lib/process-wide';
import { type Connection, queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { measureParts, partBytes } from './measure-parts';
import { partSource } from './part-source';
import { SEAL_LIMITS } from './seal-limits';
import { type NamedBytes, runSelect, sampledRows } from './seal-sql';
import { countsOf } from './sealed-stats';
import { noteSortedCopy, SAMPLE_STEP, sortedCopyOf } from './sorted-copies';
import { writeSorted } from './write-sorted';

/** Rows of parts as they lie in memory: longer names than usual are left to sealing, which has ways for them. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface SortPart {
  /** Counted of its keys, for sealing with the same. */
  bigkeys: BigkeyThresholds;
  signal?: AbortSignal | undefined;
}

/**
 * One part at a time in this process, whichever scan it belongs to: their memory would add up. Answers false when it is
 * another one's turn. Errors: those of the disk and of the database; the signal's reason. What was begun is removed.
 */
export async function sortPart(dir: string, part: string, options: SortPart): Promise<boolean> {
  const turn = processWide('sort-part', () => ({ taken: false }));
  if (turn.taken) return false;
  turn.taken = true;
  try {
    const { signal } = options;
    const sort = (connection: Connection) => writeSortedCopy(connection, dir, part, options);
    await withConnection(dir, { signal, lane: 'seal' }, sort);
    return true;
  } finally {
    turn.taken = false;
  }
}

async function writeSortedCopy(
  connection: Connection,
  dir: string,
  part: string,
  { bigkeys }: SortPart,
): Promise<void> {
  const [measured] = await measureParts(connection, dir, [part]);
  const bytes = (await partBytes(connection, dir, [part])).get(part)!;
  if (bytes > MAX_BYTES) return;
  const { rows } = measured!;
  const source = await partSource(connection, dir, [part]);
  const file = sortedCopyOf(part);
  // The copy lies on disk for minutes at most: lz4 is small enough, and takes two thirds of the time of zstd.
  await writeSorted(connection, dir, file, runSelect(source), [], {
    groupRows: SEAL_LIMITS.runGroupRows,
    rowBytes: bytes / Math.max(1, rows),
    compression: 'lz4',
    shared: true,
  });
  const samples = await queryRows<NamedBytes>(connection, sampledRows(dir, [file], SAMPLE_STEP), ['']);
  const counts = await countsOf(connection, { dir, bigkeys }, file);
  await noteSortedCopy(dir, part, { rows, bytes, rare: source.rare, samples, counted: { bigkeys, counts } });
}
