/**
 * Uses the disk as a cache: if snapshots take more than the configured limit (snapshotCacheBytes), those with the
 * oldest last use are removed, if the store has every one of their files, which is checked at that moment. Snapshots
 * that are being read or written, or are not in the store, stay, whatever they take.
 */

import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { isLocked } from '@/lib/snapshots/folder/folder-lock';
import { findMissingFiles } from '@/lib/snapshots/folder/missing-files';
import { isPinned } from '@/lib/snapshots/folder/pins';
import { isSnapshotId } from '@/lib/snapshots/folder/snapshot-folder';
import { STORED_MARK } from '@/lib/snapshots/folder/stored-mark';
import { isRows, toContentsName, toFileObjectName } from './contents';
import type { ObjectStore } from './objects/object-store';
import { readStoredMark } from './stored-mark';
import { uploadSoon } from './upload-soon';

/** The last use of a snapshot is recorded with this precision. */
const NOTE_EVERY_MS = 60_000;

/** Removes snapshots until `bytes` more fit into the limit. */
export async function evictLocal(store: ObjectStore, bytes = 0, signal?: AbortSignal): Promise<void> {
  const home = config.snapshotsDir;
  const folders = [];
  for (const name of await readdir(home).catch(() => [])) {
    signal?.throwIfAborted();
    if (!isSnapshotId(name)) continue;
    const dir = path.join(home, name);
    folders.push({ id: name, dir, ...(await measureFolder(dir)) });
  }
  let total = bytes + folders.reduce((sum, folder) => sum + folder.bytes, 0);
  for (const folder of folders.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= config.snapshotCacheBytes) return;
    signal?.throwIfAborted();
    if (await mayEvict(store, folder.id, folder.dir, signal)) {
      await removeSnapshotFolder(folder.dir);
      log().info({ snapshot: folder.id, bytes: folder.bytes }, 'snapshot_store.evicted');
      total -= folder.bytes;
    }
  }
}

async function mayEvict(
  store: ObjectStore,
  id: string,
  dir: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const mark = await readStoredMark(dir);
  if (mark === null || isPinned(dir) || (await isLocked(dir))) return false;
  const held = new Map((await store.list(`${id}/`, signal)).map(({ name, bytes }) => [name, bytes]));
  const whole = mark.files.every((file) => held.get(toFileObjectName(id, file)) === file.bytes);
  if (!whole || !held.has(toContentsName(id))) {
    // If this disk has only a part of the files, the others cannot come from anywhere else, so the mark stays.
    const keys = mark.files.filter(isRows).map((file) => file.path);
    if ((await findMissingFiles(dir, keys)).length === 0) await rm(path.join(dir, STORED_MARK), { force: true });
    uploadSoon(id, { prepared: true });
    return false;
  }
  return !isPinned(dir);
}

async function measureFolder(dir: string): Promise<{ bytes: number; usedAt: number }> {
  const names = await readdir(dir, { recursive: true }).catch(() => []);
  const stats = await Promise.all(names.map((name) => stat(path.join(dir, name)).catch(() => null)));
  const bytes = stats.reduce((sum, one) => sum + (one?.isFile() ? one.size : 0), 0);
  // `noteUse` sets this time.
  const mark = await stat(path.join(dir, STORED_MARK)).catch(() => null);
  return { bytes, usedAt: mark?.mtimeMs ?? 0 };
}

/** Folder → when its use was recorded last, by `performance.now()`. */
const notedUses = new Map<string, number>();

/** Records that the snapshot is used, as a file time that other processes on the same disk see. */
export async function noteUse(dir: string): Promise<void> {
  if (performance.now() - (notedUses.get(dir) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
  notedUses.set(dir, performance.now());
  await utimes(path.join(dir, STORED_MARK), new Date(), new Date()).catch(() => {});
}
