import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { computeChecksum } from '@/lib/snapshots/folder/checksums';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import { hasFile } from '@/lib/snapshots/folder/missing-files';
import { runPinned } from '@/lib/snapshots/folder/pins';
import { SMALL_FILES } from '@/lib/snapshots/folder/small-files';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getSnapshotRow, recordUpload } from '@/lib/store/snapshots';
import {
  isStorable,
  readContents,
  type StoredContents,
  type StoredFile,
  toContentsName,
  toFileObjectName,
} from './contents';
import type { ObjectStore } from './objects/object-store';
import { readPieces } from './objects/store-failure';
import { removeStoredObjects } from './remove-stored-snapshot';
import { readStoredMark, writeStoredMark } from './stored-mark';

/** Folders that are made after sealing, each with the file that is written last in it. */
const PREPARED: [RegExp, string][] = [
  [/^rollup-\d+$/, 'rollup.json'],
  [/^rules1-[0-9a-f]{16}$/, 'meta.json'],
];
/** Whether a file (a path in the folder) is made after sealing. Such a file may be replaced at any time. */
const isPrepared = (file: string): boolean =>
  PREPARED.some(([pattern]) => pattern.test(file.split(path.sep, 1)[0] ?? ''));

/** The files of a sealed snapshot that are uploaded, its description first. */
async function listStorable(dir: string, { files }: SnapshotManifest): Promise<string[]> {
  const names = await readdir(dir, { withFileTypes: true });
  const found = [MANIFEST_FILE, ...files, ...SMALL_FILES.filter((file) => names.some(({ name }) => name === file))];
  for (const { name } of names.filter((entry) => entry.isDirectory())) {
    const last = PREPARED.find(([pattern]) => pattern.test(name))?.[1];
    if (last === undefined || !(await hasFile(path.join(dir, name, last)))) continue;
    const inside = await readdir(path.join(dir, name), { recursive: true, withFileTypes: true });
    for (const entry of inside)
      if (entry.isFile()) found.push(path.relative(dir, path.join(entry.parentPath, entry.name)));
  }
  return found.filter(isStorable);
}

/**
 * Uploads a sealed snapshot file by file, and then their list. Files that the store has are not sent again, so it may
 * be interrupted anywhere, called twice, and run in two processes at once. The mark that allows the local files to be
 * removed is written after the list was read back. 'gone' = the snapshot was removed in the meantime, and its objects
 * are removed too.
 */
export async function uploadSnapshot(
  store: ObjectStore,
  id: string,
  { prepared, signal }: { prepared: boolean; signal: AbortSignal },
): Promise<'stored' | 'gone'> {
  const dir = getSnapshotFolder(id);
  return runPinned(dir, async () => {
    const manifest = await readManifest(dir);
    if (manifest.state !== 'sealed' || (await getSnapshotRow(id)) === null) return 'gone';
    const mark = await readStoredMark(dir);
    const before = (await readContents(store, id, signal)) ?? mark;
    // The list names the files that were verified; the objects are those that have not been lost since.
    const verified = new Set(before?.files.map((file) => toFileObjectName(id, file)));
    const objects = new Map((await store.list(`${id}/`, signal)).map(({ name, bytes }) => [name, bytes]));
    const hasObject = (file: StoredFile) => objects.get(toFileObjectName(id, file)) === file.bytes;
    const files: StoredFile[] = [];
    for (const file of await listStorable(dir, manifest)) {
      const body = await readContent(dir, file);
      if (body === null) {
        if (isPrepared(file)) continue;
        // This disk has a copy from the store with only those files that somebody asked for.
        const listed = mark?.files.find((one) => one.path === file && hasObject(one));
        if (listed === undefined) throw createMissingFileError(file);
        files.push(listed);
        continue;
      }
      // A damaged file must not be uploaded, because its new hash would make it valid in the store forever.
      if ((manifest.checksums[file] ?? computeChecksum(body)) !== computeChecksum(body))
        throw createDamagedFileError(file);
      const stored = { path: file, bytes: body.byteLength, sha256: hashSha256(body).toString('hex') };
      const name = toFileObjectName(id, stored);
      if (!verified.has(name) || !hasObject(stored)) await putVerified(store, name, body, signal);
      files.push(stored);
    }
    signal.throwIfAborted();
    const contents: StoredContents = {
      version: 1,
      id,
      prepared: prepared || (before?.prepared ?? false),
      uploadedAt: Date.now(),
      files,
    };
    const text = Buffer.from(JSON.stringify(contents));
    await store.put(toContentsName(id), text, hashSha256(text), signal);
    const readBack = await readContents(store, id, signal);
    // Another process may have written its own list in between; then that process verifies it.
    const isOwn = readBack?.uploadedAt === contents.uploadedAt;
    if (readBack === null || (isOwn && !isDeepStrictEqual(readBack, contents)))
      throw createDamagedObjectError(toContentsName(id));
    if ((await getSnapshotRow(id)) === null) {
      await removeStoredObjects(store, id, signal);
      return 'gone';
    }
    await writeStoredMark(dir, contents);
    await recordUpload(id, files.length + 1);
    return 'stored';
  });
}

/** null = the file is not on this disk. */
async function readContent(dir: string, file: string): Promise<Buffer | null> {
  try {
    return await readFile(path.join(dir, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Stores an object and verifies it. Most stores check the sent checksum, some do not. So the ETag is compared if it is
 * an MD5 as S3 gives it; otherwise the object is read back.
 */
async function putVerified(store: ObjectStore, name: string, body: Buffer, signal: AbortSignal): Promise<void> {
  const digest = hashSha256(body);
  const tag = await store.put(name, body, digest, signal);
  if (tag === createHash('md5').update(body).digest('hex')) return;
  const answer = await store.get(name, signal);
  const hash = createHash('sha256');
  if (answer !== null) for await (const piece of readPieces(answer)) hash.update(piece);
  if (!hash.digest().equals(digest)) {
    await store.remove(name, signal).catch(() => {});
    throw createDamagedObjectError(name);
  }
}

const hashSha256 = (body: Uint8Array) => createHash('sha256').update(body).digest();

const createDamagedObjectError = (name: string) =>
  new AppError('snapshot_store_away', `The object store holds something else under ${name} than was sent.`, {
    store: '',
    why: 'checksum',
  });

const createDamagedFileError = (file: string) =>
  new AppError('snapshot_damaged', `${file} is damaged on this disk and is not sent to the object store.`, {
    damaged: [file],
  });

const createMissingFileError = (file: string) =>
  new AppError('snapshot_unreadable', `${file} is neither on this disk nor in the object store.`);
