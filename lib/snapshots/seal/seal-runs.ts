import { type Connection, withConnection } from '@/lib/snapshots/query/duckdb';
import { doneInOrder } from './done-in-order';
import { rowsOf } from './measure-parts';
import { isRareRun, partSource } from './part-source';
import type { SealLimits } from './seal-limits';
import { runRows, runSelect, type SealSource } from './seal-sql';
import type { SealingState } from './sealing-state';
import { type SortedCopy, sortedCopies, sortedCopyOf } from './sorted-copies';
import { writeSorted } from './write-sorted';

/** One sealing: where, with what, how far, and who wants to know. */
export interface Sealing {
  dir: string;
  signal?: AbortSignal | undefined;
  limits: SealLimits;
  /** What the columns of each part hold, by its file. */
  bytes: ReadonlyMap<string, number>;
  /** By part: what this process has sorted while the scan went on. */
  copies: ReadonlyMap<string, SortedCopy>;
  state: SealingState;
  /** Makes the state durable, after each run and range; throws when sealing is to stop. */
  checkpoint(): Promise<void>;
}

/** Bytes of these parts, and by row. */
export function heldBy({ bytes }: Sealing, parts: readonly Part[]): { bytes: number; rowBytes: number } {
  const held = parts.reduce((sum, { file }) => sum + (bytes.get(file) ?? 0), 0);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return { bytes: held, rowBytes: held / Math.max(1, rows) };
}

/** A statement or a few. */
export const asking = <T>(sealing: Sealing, use: (connection: Connection) => Promise<T>): Promise<T> =>
  withConnection(sealing.dir, { signal: sealing.signal, lane: 'seal' }, use);

/**
 * Sorts parts by name into files of their own, a few at a time, until all are. Those that were sorted while the scan
 * went on are runs already. A small snapshot needs none where none is: its parts are the one range.
 */
export async function writeRuns(sealing: Sealing): Promise<void> {
  const { state } = sealing;
  const wanted = runsToWrite(sealing, await sortedParts(sealing));
  const before = state.runs.length;
  await doneInOrder(
    wanted,
    sealing.limits.atOnce,
    ({ parts, isSorted }, index) =>
      isSorted ? sortedRun(sealing, parts[0]!) : writeRun(sealing, parts, before + index),
    async (run, index) => {
      state.runs.push(run);
      if (!wanted[index]!.isSorted) await sealing.checkpoint();
    },
  );
}

type Run = SealingState['runs'][number];
type Part = SealingState['parts'][number];

interface WantedRun {
  parts: Part[];
  /** While the scan went on: it is the one part. */
  isSorted: boolean;
}

function runsToWrite(sealing: Sealing, sorted: Set<string>): WantedRun[] {
  const { state } = sealing;
  const wanted: WantedRun[] = [];
  for (let first = state.runs.reduce((sum, run) => sum + run.parts, 0); first < state.parts.length; ) {
    const isSorted = sorted.has(state.parts[first]!.file);
    const parts = isSorted ? state.parts.slice(first, first + 1) : nextRun(sealing, first, sorted);
    if (!isSorted && isOneRange(sealing, parts)) return [];
    wanted.push({ parts, isSorted });
    first += parts.length;
  }
  return wanted;
}

async function sortedRun(sealing: Sealing, part: Part): Promise<Run> {
  const file = sortedCopyOf(part.file);
  const isRare = (connection: Connection) => isRareRun(connection, sealing.dir, file);
  const rare = sealing.copies.get(part.file)?.rare ?? (await asking(sealing, isRare));
  return { file, parts: 1, rows: part.rows, rare };
}

function writeRun(sealing: Sealing, parts: readonly Part[], index: number): Promise<Run> {
  const { dir, limits } = sealing;
  const file = `run-${String(index).padStart(4, '0')}.parquet`;
  return asking(sealing, async (connection) => {
    const source = await partSource(connection, dir, filesOf(parts));
    const rows = await writeSorted(connection, dir, file, runSelect(source), [], {
      groupRows: limits.runGroupRows,
      groupBytes: limits.groupBytes,
      rowBytes: heldBy(sealing, parts).rowBytes,
      shared: true,
    });
    return { file, parts: parts.length, rows, rare: source.rare };
  });
}

function isOneRange(sealing: Sealing, next: readonly Part[]): boolean {
  const { limits, state } = sealing;
  const rows = next.reduce((sum, part) => sum + part.rows, 0);
  const fits = rows <= limits.directRows && heldBy(sealing, next).bytes <= limits.directBytes;
  return fits && state.runs.length === 0 && next.length === state.parts.length;
}

/** What the ranges read: the runs, or the parts where these are few. */
export async function sealSource(sealing: Sealing): Promise<SealSource> {
  const { runs, parts } = sealing.state;
  const { dir } = sealing;
  if (runs.length === 0) return asking(sealing, (connection) => partSource(connection, dir, filesOf(parts)));
  return { rows: runRows(dir, filesOf(runs)), rare: runs.some((run) => run.rare), sealed: true };
}

/** Only whole copies count: one of a part that was read again under its name would hold other rows. */
async function sortedParts(sealing: Sealing): Promise<Set<string>> {
  const { dir, state, copies } = sealing;
  const there = await sortedCopies(dir);
  const some = state.parts.filter(({ file }) => there.has(sortedCopyOf(file)));
  const files = some.filter(({ file }) => !copies.has(file)).map(({ file }) => sortedCopyOf(file));
  const rows = files.length > 0 ? await asking(sealing, (connection) => rowsOf(connection, dir, files)) : new Map();
  const rowsOfCopy = ({ file }: Part) => copies.get(file)?.rows ?? rows.get(sortedCopyOf(file));
  return new Set(some.filter((part) => rowsOfCopy(part) === part.rows).map(({ file }) => file));
}

const filesOf = (some: readonly { file: string }[]) => some.map(({ file }) => file);

/** Parts hold a few rows more than they were to: so does a tenth. */
const SHARE = 0.105;

function nextRun(sealing: Sealing, first: number, sorted: Set<string>): Part[] {
  const { limits, state } = sealing;
  const share = Math.max(limits.shortRunRows, SHARE * state.parts.reduce((sum, part) => sum + part.rows, 0));
  const max = Math.max(1, Math.min(limits.runRows, share));
  let [rows, bytes] = [0, 0];
  let end = first;
  for (; end < state.parts.length && end - first < limits.runParts; end++) {
    const part = state.parts[end]!;
    if (sorted.has(part.file)) break;
    rows += part.rows;
    bytes += sealing.bytes.get(part.file) ?? 0;
    if (end > first && (rows > max || bytes > limits.runBytes)) break;
  }
  return state.parts.slice(first, end);
}
