import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from './measure-parts';
import { isRareRun, partSource } from './part-source';
import type { SealLimits } from './seal-limits';
import { runRows, runSelect, type SealSource } from './seal-sql';
import type { SealingState } from './sealing-state';
import { sortedCopies, sortedCopyOf } from './sort-part';
import { writeSorted } from './write-sorted';

/** One sealing: where, with what, how far, and who wants to know. */
export interface Sealing {
  dir: string;
  connection: DuckDBConnection;
  limits: SealLimits;
  /** Mean of the parts: what their columns hold. */
  rowBytes: number;
  state: SealingState;
  /** Makes the state durable, after each run and range; throws when sealing is to stop. */
  checkpoint(): Promise<void>;
}

/**
 * Sorts parts by name into files of their own, a few at a time, until all are. Those that were sorted while the scan
 * went on are runs already. A small snapshot needs none where none is: its parts are the one range.
 */
export async function writeRuns(sealing: Sealing): Promise<void> {
  const { dir, connection, limits, state } = sealing;
  const sorted = await sortedParts(sealing);
  for (;;) {
    const first = state.runs.reduce((sum, run) => sum + run.parts, 0);
    const part = state.parts[first];
    if (part === undefined) return;
    if (sorted.has(part.file)) {
      const file = sortedCopyOf(part.file);
      const rare = await isRareRun(connection, dir, file);
      state.runs.push({ file, parts: 1, rows: part.rows, rare });
      continue;
    }
    const next = nextRun(sealing, first, sorted);
    if (isOneRange(sealing, next)) return;
    const source = await partSource(connection, dir, filesOf(next));
    const file = `run-${String(state.runs.length).padStart(4, '0')}.parquet`;
    const rows = await writeSorted(connection, dir, file, runSelect(source), [], {
      groupRows: limits.runGroupRows,
      rowBytes: sealing.rowBytes,
      shared: true,
    });
    state.runs.push({ file, parts: next.length, rows, rare: source.rare });
    await sealing.checkpoint();
  }
}

const isOneRange = ({ limits, state }: Sealing, next: SealingState['parts']): boolean =>
  next.length === state.parts.length && next.reduce((sum, { rows }) => sum + rows, 0) <= limits.directRows;

/** What the ranges read: the runs, or the parts where these are few. */
export async function sealSource({ dir, connection, state: { runs, parts } }: Sealing): Promise<SealSource> {
  if (runs.length === 0) return partSource(connection, dir, filesOf(parts));
  return { rows: runRows(dir, filesOf(runs)), rare: runs.some((run) => run.rare), sealed: true };
}

/** Only whole copies count: one of a part that was read again under its name would hold other rows. */
async function sortedParts({ dir, connection, state: { parts } }: Sealing): Promise<Set<string>> {
  const copies = await sortedCopies(dir);
  const some = parts.filter(({ file }) => copies.has(sortedCopyOf(file)));
  const rows = await rowsOf(
    connection,
    dir,
    some.map(({ file }) => sortedCopyOf(file)),
  );
  return new Set(some.filter((part) => rows.get(sortedCopyOf(part.file)) === part.rows).map(({ file }) => file));
}

const filesOf = (some: readonly { file: string }[]) => some.map(({ file }) => file);

/** Parts hold a few rows more than they were to: so does a tenth. */
const SHARE = 0.105;

function nextRun({ limits, rowBytes, state }: Sealing, first: number, sorted: Set<string>): SealingState['parts'] {
  const share = Math.max(limits.shortRunRows, SHARE * state.parts.reduce((sum, part) => sum + part.rows, 0));
  const max = Math.max(1, Math.min(limits.runRows, share, limits.runBytes / Math.max(1, rowBytes)));
  let rows = 0;
  let end = first;
  for (; end < state.parts.length && end - first < limits.runParts; end++) {
    if (sorted.has(state.parts[end]!.file)) break;
    rows += state.parts[end]!.rows;
    if (rows > max && end > first) break;
  }
  return state.parts.slice(first, end);
}
