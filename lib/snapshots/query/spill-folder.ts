import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { config } from '@/lib/runtime/config';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { isLocked, lockFolder } from '@/lib/snapshots/folder/folder-lock';

/**
 * Names of the folders where a database spills and exports are written. All snapshots of the data folder share one
 * database, and so one folder per process next to them. Any other snapshot (command line) has a spill folder inside its
 * own folder, because its parent may belong to somebody else.
 */
const SHARED = '.duckdb-tmp';
const OWN = '.spill-';
/** A folder without a lock is kept for this long, because a process creates its folder before it locks it. */
const UNLOCKED_FOR_MS = 60_000;

/** Returns the folder that one database serves: the folder of all snapshots, or that of one snapshot elsewhere. */
export function findDatabaseRoot(dir: string): string {
  const folder = path.resolve(dir);
  return path.dirname(folder) === config.snapshotsDir ? config.snapshotsDir : folder;
}

/** Returns the folder in which the databases of this process spill, and in which exports are written. */
export function getSpillFolder(dir: string): Promise<string> {
  const root = findDatabaseRoot(dir);
  // The folder is not created before something is written into it, so that reading leaves no trace in a snapshot.
  if (root === path.resolve(dir)) return Promise.resolve(path.join(root, `${OWN}${process.pid}`));
  const folders = getProcessWide('spill-folders', () => new Map<string, Promise<string>>());
  let folder = folders.get(root);
  if (folder === undefined) {
    folder = makeSharedFolder(path.join(root, SHARED));
    folders.set(root, folder);
    folder.catch(() => folders.delete(root));
  }
  return folder;
}

/**
 * Returns the spill folder of the `nth` database of a kind in this process. A database that ends removes the spill
 * files in its folder, so it must share the folder neither with its successor nor with a database of another kind.
 */
export async function getDatabaseSpill(dir: string, kind: string, nth: number): Promise<string> {
  const folder = await getSpillFolder(dir);
  const name = `${kind}-${nth}`;
  return findDatabaseRoot(dir) === path.resolve(dir)
    ? `${folder}-${name}`
    : path.join(/* turbopackIgnore: true */ folder, name);
}

/** Makes a folder for this process in `all`, and removes those of processes that have ended. */
async function makeSharedFolder(all: string): Promise<string> {
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all)) {
    const other = path.join(all, name);
    const stats = await stat(other).catch(() => null);
    if (stats === null || (await isLocked(other)) || Date.now() - stats.mtimeMs < UNLOCKED_FOR_MS) continue;
    await rm(other, { recursive: true, force: true });
  }
  // Without the mark, the build would take every file with a hyphen in its name for one that is read here.
  const mine = path.join(/* turbopackIgnore: true */ all, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(mine, { mode: 0o700 });
  await lockFolder(mine);
  return mine;
}

/**
 * Removes what a scan left in its folder when it was killed during sealing. The caller must hold the lock of the
 * folder.
 */
export async function removeSpill(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.startsWith(OWN)) await rm(path.join(dir, name), { recursive: true, force: true });
  }
}
