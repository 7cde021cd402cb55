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

const MARK_SETTING = 'high_water_mark';
const MARK_FILE = 'high-water-mark';
/** Every file has this size, so that a new counter overwrites the whole old one. */
const MARK_FILE_BYTES = 96;
/**
 * Writing a file sets its two times (ctime, mtime) at once. If they differ by more than this, in ms, the file is a
 * copy.
 */
const MAX_TIMES_DIFFERENCE_MS = 1000;
/** The longest time between reading the clock and the end of the write, in ms. */
const MAX_WRITING_MS = 10_000;
/** How many times a missing file is read, and the wait between two attempts in ms. */
const MAX_READS = 5;
const READ_AGAIN_MS = 100;

/** `ahead`: a file has a higher counter than the store. `copied`: the times of a file differ. */
export type MarkEvidence = 'ahead' | 'copied' | 'missing' | 'unreadable';

const listMarkFolders = (moreFolders: readonly string[]) => [config.dataDir, ...moreFolders];

/**
 * Raises the counter by one step, and above `minCount`: in the store, then in the files. `moreFolders`:
 * folders besides the data folder that have a file.
 */
export async function raiseMark(moreFolders: readonly string[] = [], minCount = 0): Promise<void> {
  // Create missing files before the store counts. To a process that starts at the same time, a store that counts
  // without its files would look like an old one.
  for (const folder of listMarkFolders(moreFolders))
    if ((await readMarkFile(folder)) === 'missing') await writeMark(folder, 0);
  const count = await raiseSetting(MARK_SETTING, minCount);
  for (const folder of listMarkFolders(moreFolders)) await writeMark(folder, count);
}

/**
 * Returns the evidence that this store is not the newest, and the highest counter found. `evidence` null: there is
 * none.
 */
export async function readMark(
  moreFolders: readonly string[] = [],
): Promise<{ evidence: MarkEvidence | null; highest: number }> {
  // The files are read first: if another process raises the counter in between, the store is ahead, never a file.
  let files = await Promise.all(listMarkFolders(moreFolders).map(readMarkFile));
  let stored = Number((await getSetting(MARK_SETTING)) ?? 0);
  for (let attempt = 1; attempt < MAX_READS && files.some((file) => mayAppearSoon(file, stored)); attempt++) {
    await sleep(READ_AGAIN_MS);
    files = await Promise.all(listMarkFolders(moreFolders).map(readMarkFile));
    // The store is read again after the files, because it may have been raised together with a file meanwhile.
    stored = Number((await getSetting(MARK_SETTING)) ?? 0);
  }
  const highest = Math.max(stored, ...files.map((file) => (typeof file === 'object' ? file.count : 0)));
  return {
    evidence: files.map((file) => findEvidence(file, stored)).find((candidate) => candidate !== null) ?? null,
    highest,
  };
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
  const isCopied =
    file.changedMs - file.writtenMs > MAX_TIMES_DIFFERENCE_MS || Math.abs(file.writtenMs - file.at) > MAX_WRITING_MS;
  return isCopied ? 'copied' : null;
}

async function writeMark(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(join(folder, MARK_FILE), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const text = JSON.stringify({ count, at: Date.now() }).padEnd(MARK_FILE_BYTES - 1);
    await file.write(Buffer.from(`${text}\n`), 0, MARK_FILE_BYTES, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function readMarkFile(folder: string): Promise<MarkFile | 'missing' | 'unreadable'> {
  const path = join(folder, MARK_FILE);
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
