import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/lib/config';
import { getSetting, raiseSetting } from '@/lib/store/settings/settings';

/**
 * How a store that is older than what was done is known: a counter that only grows, kept in the store and in a small
 * file beside it (and wherever else is named), raised every second while something is taken away. The store is written
 * first, so after a crash a file is at most as far as the store; one that is ahead belongs to a newer store. A file is
 * written in place, which gives it one time of change; whoever copies it back leaves another. A store and its files
 * that were put back together by a copy of the whole file system cannot be distinguished this way.
 */
const SETTING = 'high_water_mark';
const NAME = 'high-water-mark';
const BYTES = 96;
/** Written and changed in one step: more than this between the two times, and somebody else put the file there. */
const ONE_STEP_MS = 1000;
/** From taking the time to having written it. */
const WRITING_MS = 10_000;
/** How often one that is not there is looked for, and how long apart. */
const LOOKS = 5;
const LOOK_MS = 100;

export type MarkEvidence = 'ahead' | 'copied' | 'missing' | 'unreadable';

const folders = (more: readonly string[]) => [config.dataDir, ...more];

/** One step further, at least to above `floor`; in the store, then in the files. */
export async function raiseMark(more: readonly string[] = [], floor = 0): Promise<void> {
  // Before the store counts: to a process that begins beside this one, a store that counts without them is an old one.
  for (const folder of folders(more)) if ((await readFile(folder)) === 'missing') await writeMark(folder, 0);
  const count = await raiseSetting(SETTING, floor);
  for (const folder of folders(more)) await writeMark(folder, count);
}

/** What says that this store is not the newest. null = nothing does. */
export async function readMark(
  more: readonly string[] = [],
): Promise<{ evidence: MarkEvidence | null; highest: number }> {
  // The files first: another process that raises it between is ahead in the store, never in a file.
  let files = await Promise.all(folders(more).map(readFile));
  let stored = Number((await getSetting(SETTING)) ?? 0);
  for (let looks = 1; looks < LOOKS && files.some((file) => isFirst(file, stored)); looks++) {
    await sleep(LOOK_MS);
    files = await Promise.all(folders(more).map(readFile));
    // Again behind them: it may have been raised together with a file meanwhile.
    stored = Number((await getSetting(SETTING)) ?? 0);
  }
  const highest = Math.max(stored, ...files.map((file) => (typeof file === 'object' ? file.count : 0)));
  return { evidence: files.map((file) => against(file, stored)).find((one) => one !== null) ?? null, highest };
}

/** Another process may be writing its first, this moment. */
const isFirst = (file: MarkFile | 'missing' | 'unreadable', stored: number) =>
  file === 'unreadable' || (file === 'missing' && stored > 0);

interface MarkFile {
  count: number;
  at: number;
  changedMs: number;
  writtenMs: number;
}

function against(file: MarkFile | 'missing' | 'unreadable', stored: number): MarkEvidence | null {
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
