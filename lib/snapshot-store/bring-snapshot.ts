import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { append } from '@/lib/model/text/append';
import { processWide } from '@/lib/process-wide';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import { whilePinned } from '@/lib/snapshots/folder/pins';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { filesBelow } from '@/lib/snapshots/query/files-below';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { claimPlace } from './claim-place';
import { isRows, readContents, type StoredContents, type StoredFile } from './contents';
import { downloadOnce } from './download-once';
import { evictLocal, noteUse } from './evict-local';
import { type ObjectStore, objectStore } from './objects/object-store';
import { readStoredMark, writeStoredMark } from './stored-mark';

/**
 * Snapshots that were made elsewhere come when somebody asks: first the description, the roll-up and the findings,
 * which answer most pages, then the keys, when a question reads them: those files of them that it says it needs.
 * Whoever asks waits a moment; then `snapshot_fetching` says how far it is, and it goes on. All who ask at once wait
 * for one download of each file. Which files make up the snapshot is said by its description, not by what lies in the
 * folder, so nobody takes a part of them for all.
 */
const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
/** The machine that scanned is still making the roll-up and the findings; after this long readers wait no more. */
const PREPARING_MS = 10 * 60_000;
const MB = 1024 * 1024;

/** The names of files: these. */
type Part = 'first' | 'all' | readonly string[];
interface Fetch {
  done: number;
  total: number;
  ended: Promise<void>;
}
const theFetches = () => processWide('snapshot-fetches', () => new Map<string, Fetch>());

export interface BringOptions {
  signal?: AbortSignal | undefined;
  /** null = until it is here: for jobs. */
  maxWaitMs?: number | null;
}

/** What is needed to describe a snapshot and to answer from its roll-up. Resolves at once when it is here. */
export const bringSnapshot = (id: string, options?: BringOptions): Promise<void> => bring(id, 'first', options);

/**
 * The keys too; `files`: only these of their files, as the description names them. Resolves with whether something had
 * to come.
 */
export async function bringKeys(
  id: string,
  { files, ...options }: BringOptions & { files?: readonly string[] | undefined } = {},
): Promise<boolean> {
  if (objectStore() === null) return false;
  const part = files ?? 'all';
  await bring(id, 'first', options);
  const missing = await missingOf(id, part);
  if (missing.length > 0) await bring(id, part, options);
  return missing.length > 0;
}

/**
 * Those of the keys whose names begin with `prefix` (undefined: all), and the description that names their files: it
 * may become another one with what comes.
 */
export async function bringKeysBelow(
  id: string,
  prefix: string | undefined,
  options: BringOptions = {},
): Promise<SnapshotManifest> {
  await bringSnapshot(id, options);
  const dir = snapshotFolder(id);
  for (;;) {
    const manifest = await readManifest(dir);
    if (!(await bringKeys(id, { ...options, files: filesBelow(manifest, prefix) }))) return manifest;
  }
}

async function bring(id: string, part: Part, { signal, maxWaitMs = MAX_WAIT_MS }: BringOptions = {}): Promise<void> {
  const store = objectStore();
  if (store === null) return;
  const dir = snapshotFolder(id);
  if (part === 'first' && (await isThere(path.join(dir, MANIFEST_FILE)))) return noteUse(dir);
  const key = `${id} ${typeof part === 'string' ? part : part.toSorted().join(' ')}`;
  let fetch = theFetches().get(key);
  if (fetch === undefined) {
    const mine: Fetch = { done: 0, total: 0, ended: Promise.resolve() };
    mine.ended = whilePinned(dir, () => fetchFiles(store, id, part, mine)).finally(() => theFetches().delete(key));
    // Who asked may have gone; the next one hears of it.
    mine.ended.catch(() => {});
    theFetches().set(key, mine);
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
  if (contents === null) throw await notStored(id);
  if (part === 'first' && !contents.prepared && Date.now() - contents.uploadedAt < PREPARING_MS)
    throw await notStored(id);
  const dir = snapshotFolder(id);
  if (await isOfAnotherSeal(dir, contents)) await removeSnapshotFolder(dir);
  const wanted = await missingFiles(dir, contents, 'first');
  if (part !== 'first') append(wanted, await missingFiles(dir, contents, part));
  fetch.total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  await evictLocal(store, fetch.total);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeStoredMark(dir, contents);
  // The description last: with it the snapshot is here.
  for (const file of wanted.toSorted((a, b) => Number(a.path === MANIFEST_FILE) - Number(b.path === MANIFEST_FILE))) {
    // Another one who asks may have brought it meanwhile.
    if (await isThere(path.join(dir, file.path))) fetch.done += file.bytes;
    else
      await downloadOnce(store, id, dir, file, (bytes) => {
        fetch.done += bytes;
      });
  }
}

/**
 * A scan that two machines have sealed, one of them overtaken: what came of the one before is cut elsewhere, and does
 * not go together with what lies in the store now.
 */
async function isOfAnotherSeal(dir: string, contents: StoredContents): Promise<boolean> {
  const mark = await readStoredMark(dir);
  const description = ({ files }: StoredContents) => files.find((file) => file.path === MANIFEST_FILE)?.sha256;
  return mark !== null && description(mark) !== description(contents);
}

/** Of what the store is known to hold. */
async function missingOf(id: string, part: Part): Promise<StoredFile[]> {
  const dir = snapshotFolder(id);
  const mark = await readStoredMark(dir);
  return mark === null ? [] : missingFiles(dir, mark, part);
}

async function missingFiles(dir: string, { files }: StoredContents, part: Part): Promise<StoredFile[]> {
  const isWanted = (file: StoredFile) => {
    if (part === 'first') return !isRows(file);
    return part === 'all' ? isRows(file) : part.includes(file.path);
  };
  const wanted = files.filter(isWanted);
  const there = await Promise.all(wanted.map(({ path: file }) => isThere(path.join(dir, file))));
  return wanted.filter((_, index) => !there[index]);
}

/** It is where it was made, or nowhere. */
async function notStored(id: string): Promise<AppError> {
  const row = await getSnapshotRow(id);
  if (row === null) return new AppError('not_found', 'There is no such snapshot.', { id });
  const host = row.heldBy ?? '?';
  if (
    row.state === 'sealed' &&
    row.storedAt != null &&
    row.storeError === null &&
    Date.now() - row.storedAt > PREPARING_MS
  )
    return new AppError('snapshot_unreadable', 'The object store has lost this snapshot.', { id, host });
  const why = row.state === 'live' ? 'it is being scanned' : (row.storeError ?? 'it is being prepared');
  return new AppError(
    'snapshot_elsewhere',
    `The snapshot lies on ${host} and is not in the object store yet: ${why}.`,
    { id, host, why, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
