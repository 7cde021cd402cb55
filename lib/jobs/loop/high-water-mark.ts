/**
 * Recognises a store that is older than the work that was done, such as a restored backup. A counter that only grows is
 * kept in the store and in a small file next to it (and in other named folders), and is raised every second while a job
 * deletes something. The store is written first, so after a crash a file is at most as high as the store; a higher file
 * belongs to a newer store. A file is written in place, so that its times of writing and of change are equal; a copied
 * file has different times. This cannot recognise a store and files that were restored together by a copy of the whole
 * file system.
 */

import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/lib/runtime/config';
import { getSetting, raiseSetting } from '@/lib/store/settings/settings';

const SETTING = 'high_water_mark';
const NAME = 'high-water-mark';
/** Every file has this size, so that a new counter overwrites the whole old one. */
const BYTES = 96;
/**
 * Writing a file sets both times at once. If they differ by more than this, the file was put there by somebody else.
 */
const ONE_STEP_MS = 1000;
/** Longest time between reading the clock and having written the file, in ms. */
const WRITING_MS = 10_000;
/** How many times a missing file is read, and the wait between two attempts in ms. */
const ATTEMPTS = 5;
const ATTEMPT_MS = 100;

/** `ahead`: a file has a higher counter than the store. `copied`: the times of a file differ. */
export type MarkEvidence = 'ahead' | 'copied' | 'missing' | 'unreadable';

const listFolders = (more: readonly string[]) => [config.dataDir, ...more];

/**
 * Raises the counter by one step, and above `floor`: in the store, then in the files. `more`: folders besides the data
 * folder that have a file.
 */
export async function raiseMark(more: readonly string[] = [], floor = 0): Promise<void> {
  // Create missing files before the store counts. To a process that starts at the same time, a store that counts
  // without its files would look like an old one.
  for (const folder of listFolders(more)) if ((await readFile(folder)) === 'missing') await writeMark(folder, 0);
  const count = await raiseSetting(SETTING, floor);
  for (const folder of listFolders(more)) await writeMark(folder, count);
}

/**
 * Returns the evidence that this store is not the newest, and the highest counter found. `evidence` null: there is
 * none.
 */
export async function readMark(
  more: readonly string[] = [],
): Promise<{ evidence: MarkEvidence | null; highest: number }> {
  // The files are read first: if another process raises the counter in between, the store is ahead, never a file.
  let files = await Promise.all(listFolders(more).map(readFile));
  let stored = Number((await getSetting(SETTING)) ?? 0);
  for (let attempt = 1; attempt < ATTEMPTS && files.some((file) => mayAppearSoon(file, stored)); attempt++) {
    await sleep(ATTEMPT_MS);
    files = await Promise.all(listFolders(more).map(readFile));
    // The store is read again after the files, because it may have been raised together with a file meanwhile.
    stored = Number((await getSetting(SETTING)) ?? 0);
  }
  const highest = Math.max(stored, ...files.map((file) => (typeof file === 'object' ? file.count : 0)));
  return { evidence: files.map((file) => findEvidence(file, stored)).find((found) => found !== null) ?? null, highest };
}

/** Whether another process may be writing its first file at this moment. */
const mayAppearSoon = (file: MarkFile | 'missing' | 'unreadable', stored: number) =>
  file === 'unreadable' || (file === 'missing' && stored > 0);

/** All times are epoch ms. */
interface MarkFile {
  count: number;
  /** When the writer says that it wrote the file. */
  at: number;
  /** When the file system says that the inode was changed (ctime) and the content was written (mtime). */
  changedMs: number;
  writtenMs: number;
}

function findEvidence(file: MarkFile | 'missing' | 'unreadable', stored: number): MarkEvidence | null {
  if (file === 'missing') return stored > 0 ? 'missing' : null;
  if (file === 'unreadable') return file;
  if (file.count > stored) return 'ahead';
  const copied = file.changedMs - file.writtenMs > ONE_STEP_MS || Math.abs(file.writtenMs - file.at) > WRITING_MS;
  return copied ? 'copied' : null;
}

async function writeMark(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(join(folder, NAME), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const text = JSON.stringify({ count, at: Date.now() }).padEnd(BYTES - 1);
    await file.write(Buffer.from(`${text}\n`), 0, BYTES, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function readFile(folder: string): Promise<MarkFile | 'missing' | 'unreadable'> {
  const path = join(folder, NAME);
  try {
    const { ctimeMs, mtimeMs } = await stat(path);
    const file = await open(path, 'r');
    try {
      const { count, at } = JSON.parse(await file.readFile('utf8'));
      if (!Number.isSafeInteger(count) || !Number.isSafeInteger(at)) return 'unreadable';
      return { count, at, changedMs: ctimeMs, writtenMs: mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable';
  }
}
