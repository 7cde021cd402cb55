import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { diskError } from '@/lib/snapshots/folder/durable';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { claimPlace } from './claim-place';
import { fileObject, type StoredFile } from './contents';
import { downloadFile } from './download-file';
import { evictLocal } from './evict-local';
import type { ObjectStore } from './objects/object-store';
import { putVerified, sha256 } from './objects/put-verified';

/**
 * Place of the files that a scan has read so far, for a worker with another disk that continues it. It is below the
 * place of its snapshot and is removed with it. They are not taken for garbage: the snapshot has its row before the
 * first of these files, and no list before it is sealed. Object names contain the hash of their content, so a run that
 * was taken over but is still active overwrites nothing of its successor.
 */
export const scanPlace = (id: string): string => `${id}/scan`;

/** Resolves when the store has verified the file. Errors: those of the store; the signal's reason. */
export async function putScanFile(
  store: ObjectStore,
  id: string,
  file: string,
  body: Buffer,
  signal: AbortSignal,
): Promise<StoredFile> {
  await claimPlace(store);
  const stored = { path: file, bytes: body.byteLength, sha256: sha256(body).toString('hex') };
  await putVerified(store, fileObject(scanPlace(id), stored), body, signal);
  return stored;
}

export interface BringScanFiles {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/**
 * Makes the folder of this snapshot contain exactly these files, because files of an earlier run here have another
 * state. Parts that are already here are kept, because a part never changes under its name. Errors: those of the store,
 * with `why: 'checksum'` if a file was damaged again and again; `snapshot_unreadable` if the store has lost one;
 * `disk_full`; the signal's reason.
 */
export async function bringScanFiles(
  store: ObjectStore,
  id: string,
  files: readonly StoredFile[],
  { signal, onProgress }: BringScanFiles,
): Promise<void> {
  const dir = snapshotFolder(id);
  await claimPlace(store);
  await keepOnly(dir, files);
  const missing = await missingIn(dir, files);
  const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  onProgress(done, total);
  await evictLocal(store, total, signal);
  await mkdir(dir, { recursive: true, mode: 0o700 }).catch(async (error) => {
    throw await diskError(error, path.dirname(dir));
  });
  for (const file of missing) {
    signal.throwIfAborted();
    await downloadFile(store, scanPlace(id), dir, file, (bytes) => {
      done += bytes;
      onProgress(done, total);
    });
  }
}

async function keepOnly(dir: string, files: readonly StoredFile[]): Promise<void> {
  const wanted = new Set(files.map((file) => file.path));
  for (const name of await readdir(dir).catch(() => []))
    if (!wanted.has(name) || !isPart(name)) await rm(path.join(dir, name), { recursive: true, force: true });
}

async function missingIn(dir: string, files: readonly StoredFile[]): Promise<StoredFile[]> {
  const sizes = await Promise.all(files.map((file) => stat(path.join(dir, file.path)).catch(() => null)));
  return files.filter(({ bytes }, index) => sizes[index]?.size !== bytes);
}

/** Parts never change. Descriptions keep their name but change their content. */
const isPart = (file: string): boolean => file.endsWith('.parquet');
