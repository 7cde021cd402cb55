import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { processWide } from '@/lib/process-wide';
import type { NamedBytes } from './seal-sql';
import type { Counts } from './sealed-stats';

/**
 * A part by name, with the columns of the sealed files: a run of one part, made while the scan goes on, so that less is
 * left to do when it is over. It has its name only when whole and on disk. Whoever does not find it sorts the part when
 * sealing: nothing depends on it but time.
 */
const SORTED = /^sorted-part-\d+-\d+-\d+(-[0-9a-f]+)?\.parquet$/;

export const sortedCopyOf = (part: string): string => `sorted-${part}`;
/** Of another file: that file. */
export const partOfCopy = (copy: string): string => copy.replace(/^sorted-/, '');

/** Of these parts, those that have one. */
export async function sortedCopies(dir: string): Promise<Set<string>> {
  return new Set((await readdir(dir)).filter((name) => SORTED.test(name)));
}

/** What sealing asks of a part and its copy before it can begin, and counts at its end. */
export interface SortedCopy {
  rows: number;
  /** Of the part, in memory. */
  bytes: number;
  rare: boolean;
  /** Every `SAMPLE_STEP`-th row of the copy. */
  samples: readonly NamedBytes[];
  counted: { bigkeys: BigkeyThresholds; counts: Counts };
}

export const SAMPLE_STEP = 2048;
/** Some scans at once, each of a few dozen parts at most. */
const MAX_KNOWN = 1000;

/** Of copies that this process has made, by their path; `mark`: of the file as it was then. */
const known = () => processWide('sorted-copies', () => new Map<string, { copy: SortedCopy; mark: string }>());

export async function noteSortedCopy(dir: string, part: string, copy: SortedCopy): Promise<void> {
  const place = placeOf(dir, part);
  const all = known();
  all.set(place, { copy, mark: await markOf(place) });
  for (const oldest of all.keys()) {
    if (all.size <= MAX_KNOWN) break;
    all.delete(oldest);
  }
}

/** By part: copies that are still as this process has made them. */
export async function knownCopies(dir: string, parts: readonly string[]): Promise<Map<string, SortedCopy>> {
  const found = new Map<string, SortedCopy>();
  for (const part of parts) {
    const place = placeOf(dir, part);
    const one = known().get(place);
    if (one !== undefined && one.mark === (await markOf(place).catch(() => ''))) found.set(part, one.copy);
  }
  return found;
}

export function forgetCopies(dir: string): void {
  const folder = path.resolve(dir) + path.sep;
  for (const place of known().keys()) if (place.startsWith(folder)) known().delete(place);
}

const placeOf = (dir: string, part: string) => path.join(path.resolve(dir), sortedCopyOf(part));

async function markOf(place: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(place);
  return `${ino} ${size} ${mtimeMs}`;
}
