import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { config } from '@/lib/config';
import { processWide } from '@/lib/process-wide';
import { isLocked, lockFolder } from '@/lib/snapshots/folder/folder-lock';

/**
 * Where a database spills and exports are made. The snapshots of the data folder share one database and so one folder
 * per process beside them; any other snapshot (command line) keeps to its own folder, because its parent may be
 * anybody's.
 */
const SHARED = '.duckdb-tmp';
const OWN = '.spill-';
/** Between the making of a folder and its lock. */
const UNLOCKED_FOR_MS = 60_000;

/** What one database serves: the home of all snapshots, or the one snapshot. */
export function databaseRoot(dir: string): string {
  const own = path.resolve(dir);
  const home = config.snapshotsDir;
  return path.dirname(own) === home ? home : own;
}

export function spillFolder(dir: string): Promise<string> {
  const root = databaseRoot(dir);
  // Not made before something is written into it: reading leaves no trace in a snapshot.
  if (root === path.resolve(dir)) return Promise.resolve(path.join(root, `${OWN}${process.pid}`));
  const folders = processWide('spill-folders', () => new Map<string, Promise<string>>());
  let folder = folders.get(root);
  if (folder === undefined) {
    folder = shared(path.join(root, SHARED));
    folders.set(root, folder);
    folder.catch(() => folders.delete(root));
  }
  return folder;
}

/**
 * For the `nth` database of a kind in this process: one that ends removes the spilled files it finds, so neither the
 * one that follows it nor one of another kind shares the folder.
 */
export async function databaseSpill(dir: string, kind: string, nth: number): Promise<string> {
  const folder = await spillFolder(dir);
  const own = `${kind}-${nth}`;
  return databaseRoot(dir) === path.resolve(dir) ? `${folder}-${own}` : path.join(folder, own);
}

async function shared(all: string): Promise<string> {
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all)) {
    const other = path.join(all, name);
    const made = await stat(other).catch(() => null);
    if (made === null || (await isLocked(other)) || Date.now() - made.mtimeMs < UNLOCKED_FOR_MS) continue;
    await rm(other, { recursive: true, force: true });
  }
  const mine = path.join(all, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(mine, { mode: 0o700 });
  await lockFolder(mine);
  return mine;
}

/** What a scan that was killed while it sealed left in its folder; only for who holds the folder's lock. */
export async function removeSpill(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.startsWith(OWN)) await rm(path.join(dir, name), { recursive: true, force: true });
  }
}
