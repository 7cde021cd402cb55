/**
 * Snapshots that another machine made are downloaded when somebody asks for them: first the description, the roll-up
 * and the findings, which answer most pages, and then, when a query reads them, the files of keys that it needs. A
 * caller waits for a moment; then `snapshot_fetching` reports the progress, and the download continues. Concurrent
 * callers share one download of each file. The description lists the files of the snapshot, so an incomplete folder is
 * never taken for the whole snapshot.
 */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { append } from '@/lib/model/text/append';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import { hasFile } from '@/lib/snapshots/folder/missing-files';
import { runPinned } from '@/lib/snapshots/folder/pins';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { listFilesBelow } from '@/lib/snapshots/query/list-files-below';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { claimPlace } from './claim-place';
import { isRows, readContents, type StoredContents, type StoredFile } from './contents';
import { downloadOnce } from './download-once';
import { evictLocal, noteUse } from './evict-local';
import { getObjectStore, type ObjectStore } from './objects/object-store';
import { readStoredMark, writeStoredMark } from './stored-mark';

const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
/**
 * The machine that scanned may still be computing the roll-up and the findings. After this time readers no longer wait
 * for them.
 */
const PREPARING_MS = 10 * 60_000;
const MB = 1024 * 1024;

/** The files to download: those that pages need first, all files of keys, or the named ones. */
type Part = 'first' | 'all' | readonly string[];
interface Fetch {
  /** Bytes. */
  done: number;
  total: number;
  ended: Promise<void>;
}
const getFetches = () => getProcessWide('snapshot-fetches', () => new Map<string, Fetch>());

export interface BringOptions {
  signal?: AbortSignal | undefined;
  /** null: wait until the download has ended, for jobs. */
  maxWaitMs?: number | null;
}

/**
 * Downloads what is needed to describe a snapshot and to answer from its roll-up. Resolves at once if it is on this
 * disk.
 */
export const bringSnapshot = (id: string, options?: BringOptions): Promise<void> => bring(id, 'first', options);

/** Downloads the roll-up and the findings that a worker has stored since the description was downloaded. */
export async function bringPrepared(id: string): Promise<void> {
  const store = getObjectStore();
  if (store === null) return;
  const dir = getSnapshotFolder(id);
  await runPinned(dir, () => fetchFiles(store, id, 'first', { done: 0, total: 0, ended: Promise.resolve() }));
}

/**
 * Also downloads files of keys: all of them, or only `files`, as the description names them. Resolves with whether
 * anything had to be downloaded.
 */
export async function bringKeys(
  id: string,
  { files, ...options }: BringOptions & { files?: readonly string[] | undefined } = {},
): Promise<boolean> {
  if (getObjectStore() === null) return false;
  const part = files ?? 'all';
  await bring(id, 'first', options);
  const missing = await listMissingFiles(id, part);
  if (missing.length > 0) await bring(id, part, options);
  return missing.length > 0;
}

/**
 * Downloads the files with keys whose names begin with `prefix` (undefined = all), and returns the description that
 * lists these files. The description is read again after a download, because the download may replace it.
 */
export async function bringKeysBelow(
  id: string,
  prefix: string | undefined,
  options: BringOptions = {},
): Promise<SnapshotManifest> {
  await bringSnapshot(id, options);
  const dir = getSnapshotFolder(id);
  for (;;) {
    const manifest = await readManifest(dir);
    if (!(await bringKeys(id, { ...options, files: listFilesBelow(manifest, prefix) }))) return manifest;
  }
}

async function bring(id: string, part: Part, { signal, maxWaitMs = MAX_WAIT_MS }: BringOptions = {}): Promise<void> {
  const store = getObjectStore();
  if (store === null) return;
  const dir = getSnapshotFolder(id);
  if (part === 'first' && (await hasFile(path.join(dir, MANIFEST_FILE)))) return noteUse(dir);
  const key = `${id} ${typeof part === 'string' ? part : part.toSorted().join(' ')}`;
  let fetch = getFetches().get(key);
  if (fetch === undefined) {
    const mine: Fetch = { done: 0, total: 0, ended: Promise.resolve() };
    mine.ended = runPinned(dir, () => fetchFiles(store, id, part, mine)).finally(() => getFetches().delete(key));
    // The caller may have stopped waiting; then the next caller gets the error.
    mine.ended.catch(() => {});
    getFetches().set(key, mine);
    fetch = mine;
  }
  await waitFor(fetch, id, maxWaitMs, signal);
}

async function waitFor(fetch: Fetch, id: string, maxWaitMs: number | null, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waits: Promise<'late' | 'done'>[] = [fetch.ended.then(() => 'done' as const)];
  if (maxWaitMs !== null)
    waits.push(
      new Promise((resolve) => {
        timer = setTimeout(() => resolve('late'), maxWaitMs);
      }),
    );
  if (signal)
    waits.push(
      new Promise((_, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    );
  try {
    if ((await Promise.race(waits)) === 'done') return;
  } finally {
    clearTimeout(timer);
  }
  const [doneMb, totalMb] = [fetch.done, fetch.total].map((bytes) => Math.ceil(bytes / MB)) as [number, number];
  throw new AppError(
    'snapshot_fetching',
    `The snapshot comes from the object store: ${doneMb} of ${totalMb} MB. Try again in a moment.`,
    { id, doneMb, totalMb, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

async function fetchFiles(store: ObjectStore, id: string, part: Part, fetch: Fetch): Promise<void> {
  await claimPlace(store);
  const contents = await readContents(store, id);
  if (contents === null) throw await createNotStoredError(id);
  if (part === 'first' && !contents.prepared && Date.now() - contents.uploadedAt < PREPARING_MS)
    throw await createNotStoredError(id);
  const dir = getSnapshotFolder(id);
  if (await isOfAnotherSeal(dir, contents)) await removeSnapshotFolder(dir);
  const wanted = await filterMissingFiles(dir, contents, 'first');
  if (part !== 'first') append(wanted, await filterMissingFiles(dir, contents, part));
  fetch.total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  await evictLocal(store, fetch.total);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeStoredMark(dir, contents);
  for (const file of wanted.toSorted((a, b) => rankFile(a) - rankFile(b))) {
    // Another caller may have downloaded it in the meantime.
    if (await hasFile(path.join(dir, file.path))) fetch.done += file.bytes;
    else
      await downloadOnce(store, id, dir, file, (bytes) => {
        fetch.done += bytes;
      });
  }
}

/**
 * Returns the position of a file in the order of downloads. `meta.json` of the findings and `rollup.json` make these
 * complete, and the description makes the snapshot complete.
 */
const rankFile = ({ path: file }: StoredFile): number =>
  file === MANIFEST_FILE ? 2 : /\/(meta|rollup)\.json$/.test(file) ? 1 : 0;

/**
 * Whether the local files are of another sealing of the same scan. Their files are cut differently and cannot be
 * combined.
 */
async function isOfAnotherSeal(dir: string, contents: StoredContents): Promise<boolean> {
  const mark = await readStoredMark(dir);
  const findDescription = ({ files }: StoredContents) => files.find((file) => file.path === MANIFEST_FILE)?.sha256;
  return mark !== null && findDescription(mark) !== findDescription(contents);
}

/** Returns the files that the store is known to have and this disk does not have. */
async function listMissingFiles(id: string, part: Part): Promise<StoredFile[]> {
  const dir = getSnapshotFolder(id);
  const mark = await readStoredMark(dir);
  return mark === null ? [] : filterMissingFiles(dir, mark, part);
}

async function filterMissingFiles(dir: string, { files }: StoredContents, part: Part): Promise<StoredFile[]> {
  const isWanted = (file: StoredFile) => {
    if (part === 'first') return !isRows(file);
    return part === 'all' ? isRows(file) : part.includes(file.path);
  };
  const wanted = files.filter(isWanted);
  const isHere = await Promise.all(wanted.map(({ path: file }) => hasFile(path.join(dir, file))));
  return wanted.filter((_, index) => !isHere[index]);
}

/** The error for a snapshot that the store does not have: it is still on the machine that made it, or it is lost. */
async function createNotStoredError(id: string): Promise<AppError> {
  const row = await getSnapshotRow(id);
  if (row === null) return new AppError('not_found', 'There is no such snapshot.', { id });
  const host = row.heldBy ?? '?';
  const wasStored = row.state === 'sealed' && row.storedAt != null && row.storeError === null;
  if (wasStored && Date.now() - row.storedAt! > PREPARING_MS)
    return new AppError('snapshot_unreadable', 'The object store has lost this snapshot.', { id, host });
  const why = row.state === 'live' ? 'it is being scanned' : (row.storeError ?? 'it is being prepared');
  return new AppError(
    'snapshot_elsewhere',
    `The snapshot lies on ${host} and is not in the object store yet: ${why}.`,
    { id, host, why, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
