import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';
import { MANIFEST_FILE } from '@/lib/snapshots/folder/manifest';
import { whilePinned } from '@/lib/snapshots/folder/pins';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { claimPlace } from './claim-place';
import { isRows, readContents, type StoredContents, type StoredFile } from './contents';
import { downloadFile } from './download-file';
import { evictLocal, noteUse } from './evict-local';
import { type ObjectStore, objectStore } from './objects/object-store';
import { readStoredMark, writeStoredMark } from './stored-mark';

/**
 * Snapshots that were made elsewhere come when somebody asks: first the description, the roll-up and the findings,
 * which answer most pages, then the keys, when a question reads them. Whoever asks waits a moment; then
 * `snapshot_fetching` says how far it is, and it goes on. All who ask at once wait for one download.
 */
const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
/** The machine that scanned is still making the roll-up and the findings; after this long readers wait no more. */
const PREPARING_MS = 10 * 60_000;
const MB = 1024 * 1024;

type Part = 'first' | 'all';
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

/** The keys too. Resolves with whether something had to come. */
export async function bringKeys(id: string, options: BringOptions = {}): Promise<boolean> {
  if (objectStore() === null) return false;
  await bring(id, 'first', options);
  const missing = await missingOf(id, 'all');
  if (missing.length > 0) await bring(id, 'all', options);
  return missing.length > 0;
}

async function bring(id: string, part: Part, { signal, maxWaitMs = MAX_WAIT_MS }: BringOptions = {}): Promise<void> {
  const store = objectStore();
  if (store === null) return;
  const dir = snapshotFolder(id);
  if (part === 'first' && (await isThere(path.join(dir, MANIFEST_FILE)))) return noteUse(dir);
  const key = `${id} ${part}`;
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
  const wanted = await missingFiles(dir, contents, part);
  fetch.total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  await evictLocal(store, fetch.total);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeStoredMark(dir, contents);
  // The description last: with it the snapshot is here.
  for (const file of wanted.toSorted((a, b) => Number(a.path === MANIFEST_FILE) - Number(b.path === MANIFEST_FILE)))
    await downloadFile(store, id, dir, file, (bytes) => {
      fetch.done += bytes;
    });
}

/** Of what the store is known to hold. */
async function missingOf(id: string, part: Part): Promise<StoredFile[]> {
  const dir = snapshotFolder(id);
  const mark = await readStoredMark(dir);
  return mark === null ? [] : missingFiles(dir, mark, part);
}

async function missingFiles(dir: string, { files }: StoredContents, part: Part): Promise<StoredFile[]> {
  const wanted = part === 'all' ? files.filter(isRows) : files.filter((file) => !isRows(file));
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
