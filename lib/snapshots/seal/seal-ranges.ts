import { rm } from 'node:fs/promises';
import path from 'node:path';
import { queryRows } from '@/lib/snapshots/query/duckdb';
import { cutBetween } from './cut-between';
import { doneInOrder } from './done-in-order';
import { asking, heldBy, type Sealing, sealSource } from './seal-runs';
import { type NamedBytes, rangeSelect, type SealSource, sampledRows } from './seal-sql';
import type { SealingState } from './sealing-state';
import { partOfCopy, SAMPLE_STEP } from './sorted-copies';
import { writeSorted } from './write-sorted';

type Range = NonNullable<SealingState['ranges']>[number];

/** Names that are looked at for each range: more would cut more evenly. */
const SAMPLES = 32;

/**
 * Where to cut the names, so that ranges hold about as many rows each, fewer where rows are long. Cut is between names:
 * whatever shares one (in other databases, met again, of other bytes) shares a range.
 */
export async function cutRanges(sealing: Sealing): Promise<void> {
  sealing.state.ranges ??= await rangesFrom(sealing, null);
}

/** Where memory did not hold one: what is not written yet is cut by the limits as they are now. */
export async function cutRestAnew(sealing: Sealing): Promise<void> {
  const { state } = sealing;
  const written = state.ranges?.slice(0, state.sealed.length) ?? [];
  const { to = null } = written.at(-1) ?? {};
  if (written.length === 0) state.ranges = null;
  else if (to !== null) state.ranges = [...written, ...(await rangesFrom(sealing, to))];
}

async function rangesFrom(sealing: Sealing, from: string | null): Promise<Range[]> {
  const { limits, state } = sealing;
  // What a range sorts fits into memory with ease, but of each run it reads whole row groups.
  const wanted = Math.max(limits.directRows, (state.runs.length * limits.runGroupRows) / 2);
  const fitting = Math.floor(limits.rangeBytes / Math.max(1, heldBy(sealing, state.parts).rowBytes));
  const rangeRows = Math.max(1, Math.min(wanted, limits.rangeRows, fitting));
  const wantedStep = Math.max(1, Math.floor(rangeRows / SAMPLES));
  const { samples, step } = knownSamples(sealing, from, wantedStep) ?? {
    samples: await sampledNames(sealing, from, wantedStep),
    step: wantedStep,
  };
  return samples.length > 0
    ? rangesOf(samples, { from, max: Math.round(rangeRows / step), maxBytes: limits.rangeBytes / step })
    : [{ from, to: null }];
}

async function sampledNames(sealing: Sealing, from: string | null, step: number): Promise<NamedBytes[]> {
  const runs = sealing.state.runs.map((run) => run.file);
  const asked = sampledRows(sealing.dir, runs, step);
  return runs.length > 0
    ? asking(sealing, (connection) => queryRows<NamedBytes>(connection, asked, from === null ? [''] : [from]))
    : [];
}

/** Where all runs were sorted while the scan went on; null: no, or more of each is wanted. */
function knownSamples({ state, copies }: Sealing, from: string | null, wantedStep: number) {
  const runs = state.runs.map(({ file }) => copies.get(partOfCopy(file)));
  const each = Math.floor(wantedStep / SAMPLE_STEP);
  if (from !== null || runs.length === 0 || runs.includes(undefined) || each === 0) return null;
  const all = runs.flatMap((copy) => copy!.samples.filter((_, index) => index % each === 0));
  // As the database orders names: by their bytes.
  const ordered = all.map((sample) => ({ sample, key: Buffer.from(sample.name) }));
  ordered.sort((a, b) => Buffer.compare(a.key, b.key));
  return { samples: ordered.map(({ sample }) => sample), step: each * SAMPLE_STEP };
}

/** A new range begins after `max` samples, or before they would hold more than `maxBytes`. */
function rangesOf(
  samples: readonly NamedBytes[],
  { from: first, max, maxBytes }: { from: string | null; max: number; maxBytes: number },
): Range[] {
  const ranges: Range[] = [];
  let from = first;
  let before: string | null = null;
  let [count, held] = [0, 0];
  const endAt = (to: string | null) => {
    ranges.push({ from, to, rowBytes: held / count });
    from = to;
    [count, held] = [0, 0];
  };
  for (const { name, bytes } of samples) {
    if (before !== null && name !== before && count > 0 && (count >= max || held + bytes > maxBytes))
      endAt(cutBetween(before, name));
    before = name;
    count++;
    held += bytes;
  }
  endAt(null);
  return ranges;
}

/** Range after range into a file of its own, in the sealed order. */
export async function writeRanges(sealing: Sealing): Promise<void> {
  const { dir, limits, state } = sealing;
  const ranges: Range[] = state.ranges!;
  const first = state.sealed.length;
  if (first === ranges.length) return;
  const source = await sealSource(sealing);
  await doneInOrder(
    ranges.slice(first),
    limits.atOnce,
    (range, index) => writeRange(sealing, source, range, fileOf(first + index)),
    async (rows, index) => {
      const file = fileOf(first + index);
      // Behind each cut lies the name that was cut at, so only the first range can be empty; an empty keyspace has one
      // empty file.
      const kept = rows > 0 || ranges.length === 1;
      if (!kept) await rm(path.join(dir, file), { force: true });
      state.sealed.push({ file: kept ? file : null, rows });
      await sealing.checkpoint();
    },
  );
}

const fileOf = (index: number) => `keys-${String(index).padStart(4, '0')}.parquet`;

function writeRange(sealing: Sealing, source: SealSource, range: Range, file: string): Promise<number> {
  const { dir, limits } = sealing;
  const { from, to, rowBytes = heldBy(sealing, sealing.state.parts).rowBytes } = range;
  const bounds: string[] = [];
  const values: string[] = [];
  if (from !== null) bounds.push(`name >= $${values.push(from)}`);
  if (to !== null) bounds.push(`name < $${values.push(to)}`);
  const where = bounds.length > 0 ? `WHERE ${bounds.join(' AND ')}` : '';
  return asking(sealing, (connection) =>
    writeSorted(connection, dir, file, rangeSelect(source, where), values, {
      groupRows: limits.fileGroupRows,
      groupBytes: limits.groupBytes,
      rowBytes,
      shared: true,
    }),
  );
}
