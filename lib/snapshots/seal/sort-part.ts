import { readdir } from 'node:fs/promises';
import { processWide } from '@/lib/process-wide';
import { type Connection, withConnection } from '@/lib/snapshots/query/duckdb';
import { measureParts, partBytes } from './measure-parts';
import { partSource } from './part-source';
import { SEAL_LIMITS } from './seal-limits';
import { runSelect } from './seal-sql';
import { writeSorted } from './write-sorted';

/**
 * A part by name, with the columns of the sealed files: a run of one part, made while the scan goes on, so that less is
 * left to do when it is over. It has its name only when whole and on disk. Whoever does not find it sorts the part when
 * sealing: nothing depends on it but time.
 */
const SORTED = /^sorted-part-\d+-\d+-\d+(-[0-9a-f]+)?\.parquet$/;

export const sortedCopyOf = (part: string): string => `sorted-${part}`;

/** Of these parts, those that have one. */
export async function sortedCopies(dir: string): Promise<Set<string>> {
  return new Set((await readdir(dir)).filter((name) => SORTED.test(name)));
}

/** Rows of parts as they lie in memory: longer names than usual are left to sealing, which has ways for them. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * One part at a time in this process, whichever scan it belongs to: their memory would add up. Answers false when it is
 * another one's turn. Errors: those of the disk and of the database; the signal's reason. What was begun is removed.
 */
export async function sortPart(dir: string, part: string, signal: AbortSignal): Promise<boolean> {
  const turn = processWide('sort-part', () => ({ taken: false }));
  if (turn.taken) return false;
  turn.taken = true;
  try {
    await withConnection(dir, { signal, lane: 'seal' }, (connection) => writeSortedCopy(connection, dir, part));
    return true;
  } finally {
    turn.taken = false;
  }
}

async function writeSortedCopy(connection: Connection, dir: string, part: string): Promise<void> {
  const [measured] = await measureParts(connection, dir, [part]);
  const bytes = (await partBytes(connection, dir, [part])).get(part)!;
  if (bytes > MAX_BYTES) return;
  // The copy lies on disk for minutes at most: lz4 is small enough, and takes two thirds of the time of zstd.
  await writeSorted(connection, dir, sortedCopyOf(part), runSelect(await partSource(connection, dir, [part])), [], {
    groupRows: SEAL_LIMITS.runGroupRows,
    rowBytes: bytes / Math.max(1, measured!.rows),
    compression: 'lz4',
    shared: true,
  });
}
