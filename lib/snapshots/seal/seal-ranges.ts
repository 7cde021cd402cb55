import { rm } from 'node:fs/promises';
import path from 'node:path';
import { queryRows, type Row } from '@/lib/snapshots/query/duckdb';
import { type Sealing, sealSource } from './seal-runs';
import { rangeSelect, sampledRows } from './seal-sql';
import type { SealingState } from './sealing-state';
import { writeSorted } from './write-sorted';

type Range = NonNullable<SealingState['ranges']>[number];

/** Names that are looked at for each range: more would cut more evenly. */
const SAMPLES = 32;

/**
 * Where to cut the names, so that ranges hold about as many rows each, fewer where rows are long. Cut is between names:
 * whatever shares one (in other databases, met again, of other bytes) shares a range.
 */
export async function cutRanges({ dir, connection, limits, rowBytes, state }: Sealing): Promise<void> {
  if (state.ranges !== null) return;
  // What a range sorts fits into memory with ease, but of each run it reads whole row groups.
  const wanted = Math.max(limits.directRows, (state.runs.length * limits.runGroupRows) / 2);
  const fitting = Math.floor(limits.rangeBytes / Math.max(1, rowBytes));
  const rangeRows = Math.max(1, Math.min(wanted, limits.rangeRows, fitting));
  const step = Math.max(1, Math.floor(rangeRows / SAMPLES));
  const runs = state.runs.map((run) => run.file);
  const samples = runs.length > 0 ? await queryRows<Sample>(connection, sampledRows(dir, runs, step)) : [];
  state.ranges =
    samples.length > 0
      ? rangesOf(samples, Math.round(rangeRows / step), limits.rangeBytes / step)
      : [{ from: null, to: null }];
}

interface Sample extends Row {
  name: string;
  bytes: number;
}

/** A new range begins after `max` samples, or before they would hold more than `maxBytes`. */
function rangesOf(samples: readonly Sample[], max: number, maxBytes: number): Range[] {
  const ranges: Range[] = [];
  let from: string | null = null;
  let [count, held] = [0, 0];
  const endAt = (to: string | null) => {
    ranges.push({ from, to, rowBytes: held / count });
    from = to;
    [count, held] = [0, 0];
  };
  for (const { name, bytes } of samples) {
    if (count > 0 && name !== from && (count >= max || held + bytes > maxBytes)) endAt(name);
    count++;
    held += bytes;
  }
  endAt(null);
  return ranges;
}

/** Range after range into a file of its own, in the sealed order. */
export async function writeRanges(sealing: Sealing): Promise<void> {
  const { dir, connection, limits, state } = sealing;
  const ranges: Range[] = state.ranges!;
  if (state.sealed.length === ranges.length) return;
  const source = await sealSource(sealing);
  for (let index = state.sealed.length; index < ranges.length; index++) {
    const { from, to, rowBytes = sealing.rowBytes } = ranges[index]!;
    const bounds: string[] = [];
    const values: string[] = [];
    if (from !== null) bounds.push(`name >= $${values.push(from)}`);
    if (to !== null) bounds.push(`name < $${values.push(to)}`);
    const where = bounds.length > 0 ? `WHERE ${bounds.join(' AND ')}` : '';
    const file = `keys-${String(index).padStart(4, '0')}.parquet`;
    const rows = await writeSorted(connection, dir, file, rangeSelect(source, where), values, {
      groupRows: limits.fileGroupRows,
      rowBytes,
      shared: true,
    });
    // The cuts are real names, so only the first range can be empty; an empty keyspace has one empty file all the same.
    const kept = rows > 0 || ranges.length === 1;
    if (!kept) await rm(path.join(dir, file), { force: true });
    state.sealed.push({ file: kept ? file : null, rows });
    await sealing.checkpoint();
  }
}
