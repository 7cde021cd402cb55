import { access, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { listParts, removeParts } from '@/lib/snapshots/folder/folder';
import type { SealStats } from '@/lib/snapshots/seal/sealed-stats';

/**
 * How far sealing is, in the folder beside what it has written: after each finished run and range, so that a killed
 * process goes on behind the last of them. A file that stands in here is whole and on disk; what does not is written
 * anew.
 */
export interface SealingState {
  /** 3: runs have the columns of the sealed files. 4: and templates as they fold now. */
  version: 4;
  /** In the order of their sequence: facts of later ones are newer. */
  parts: { file: string; rows: number }[];
  /**
   * Each holds the rows of the next `parts` parts by name; `rare`: exact bytes or long names are among them. None where
   * a snapshot is small.
   */
  runs: { file: string; parts: number; rows: number; rare: boolean }[];
  /**
   * Ranges of names, from the first to before the second; null = open. Null until all runs are there. `rowBytes`: mean
   * of the rows that are merged; absent where these are read from the parts.
   */
  ranges: { from: string | null; to: string | null; rowBytes?: number }[] | null;
  /** Of the ranges so far, in their order. A file of null: the range holds no key. */
  sealed: { file: string | null; rows: number }[];
  /** What was counted of the whole, with these thresholds of bigkeys. */
  counted?: { bigkeys: BigkeyThresholds; stats: Omit<SealStats, 'duplicatesRemoved'> };
}

const STATE = 'sealing.json';
const WORK = String.raw`run-\d+|sorted-part-\d+-\d+-\d+(-[0-9a-f]+)?`;
/** With the process or the run that writes it. */
const TEMPORARY = new RegExp(String.raw`^((${WORK}|keys-\d+)\.parquet|sealing\.json)(\.[0-9a-f]+)?\.tmp$`);
const WRITTEN = /^(run-\d+|keys-\d+)\.parquet$/;

/** What an earlier process left for these parts; null, with nothing of it left, where that cannot be gone on with. */
export async function resumeSealing(dir: string, parts: readonly string[]): Promise<SealingState | null> {
  await removeMatching(dir, TEMPORARY);
  const state = await readState(dir);
  if (state !== null && state.parts.map((part) => part.file).join() === parts.join() && (await allThere(dir, state)))
    return state;
  await rm(path.join(dir, STATE), { force: true });
  await removeMatching(dir, WRITTEN);
  return null;
}

export async function saveSealing(dir: string, state: SealingState): Promise<void> {
  await writeFileDurably(path.join(dir, STATE), JSON.stringify(state));
}

/** Another text once a run or a range more is done. */
export async function sealingStands(dir: string): Promise<string> {
  const state = await readState(dir);
  return state === null ? '' : `${state.runs.length} ${state.sealed.length} ${state.counted !== undefined}`;
}

/** For a snapshot whose description tells its files: all that is not one of them goes. */
export async function removeSealing(dir: string): Promise<void> {
  // Also parts that no checkpoint knows: a crash between a part and its checkpoint leaves one.
  await Promise.all([
    removeParts(dir, await listParts(dir)),
    removeMatching(dir, new RegExp(String.raw`^(${WORK})\.parquet$`)),
    removeMatching(dir, TEMPORARY),
  ]);
  await rm(path.join(dir, STATE), { force: true });
}

async function readState(dir: string): Promise<SealingState | null> {
  try {
    const state: SealingState = JSON.parse(await readFile(path.join(dir, STATE), 'utf8'));
    return state.version === 4 ? state : null;
  } catch {
    // Damaged is as good as none: the parts are all there.
    return null;
  }
}

async function allThere(dir: string, { runs, ranges, sealed }: SealingState): Promise<boolean> {
  // The last range done, runs are no longer needed.
  const needed = ranges !== null && sealed.length === ranges.length ? [] : runs;
  const files = [...needed, ...sealed].flatMap(({ file }) => (file === null ? [] : [file]));
  const there = files.map((file) =>
    access(path.join(dir, file)).then(
      () => true,
      () => false,
    ),
  );
  return !(await Promise.all(there)).includes(false);
}

async function removeMatching(dir: string, pattern: RegExp): Promise<void> {
  const names = (await readdir(dir)).filter((name) => pattern.test(name));
  await Promise.all(names.map((name) => rm(path.join(dir, name), { force: true })));
}
