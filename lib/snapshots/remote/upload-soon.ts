/**
 * Uploads of snapshots on this disk, one at a time. A store that is down or slow delays nothing and loses nothing: the
 * files stay, the row records the error, and the upload is retried with growing waits and at each start.
 */

import { toErrorBody } from '@/lib/model/errors';
import { computeBackoffMs } from '@/lib/runtime/backoff-ms';
import { log } from '@/lib/runtime/log';
import { updateSnapshot } from '@/lib/store/snapshots';
import { claimPlace } from './claim-place';
import { getObjectStore } from './objects/object-store';
import { uploadSnapshot } from './upload-snapshot';

/** Waiting times after failed uploads. */
const RETRIES = { firstMs: 5_000, maxMs: 10 * 60_000 };

interface Waiting {
  prepared: boolean;
  attempts: number;
  /** Time by performance.now, ms. */
  dueAt: number;
}
const uploads = {
  waiting: new Map<string, Waiting>(),
  abort: new AbortController(),
  timer: undefined as NodeJS.Timeout | undefined,
  running: null as Promise<void> | null,
};

/**
 * Queues an upload. `prepared` = the roll-up and the findings were made, or could not be made, so no reader has to wait
 * for them.
 */
export function uploadSoon(id: string, { prepared }: { prepared: boolean }): void {
  if (getObjectStore() === null) return;
  if (uploads.abort.signal.aborted) return;
  const before = uploads.waiting.get(id);
  // A snapshot whose upload failed keeps its waiting time: a new request is no reason to try an unavailable store more
  // often.
  uploads.waiting.set(id, { attempts: 0, dueAt: 0, ...before, prepared: prepared || (before?.prepared ?? false) });
  scheduleNextUpload();
}

export async function stopUploads(): Promise<void> {
  uploads.abort.abort();
  clearTimeout(uploads.timer);
  await uploads.running;
  uploads.waiting.clear();
}

export function startUploads(): void {
  if (uploads.abort.signal.aborted) uploads.abort = new AbortController();
}

function scheduleNextUpload(): void {
  if (uploads.running || uploads.abort.signal.aborted || uploads.waiting.size === 0) return;
  clearTimeout(uploads.timer);
  const due = Math.min(...[...uploads.waiting.values()].map(({ dueAt }) => dueAt));
  uploads.timer = setTimeout(
    () => {
      uploads.running = uploadNext().finally(() => {
        uploads.running = null;
        scheduleNextUpload();
      });
    },
    Math.max(0, due - performance.now()),
  );
  uploads.timer.unref();
}

async function uploadNext(): Promise<void> {
  const store = getObjectStore();
  const next = [...uploads.waiting].sort(([, a], [, b]) => a.dueAt - b.dueAt)[0];
  if (store === null || next === undefined) return;
  const [id, turn] = next;
  const { signal } = uploads.abort;
  const began = performance.now();
  try {
    await claimPlace(store);
    const outcome = await uploadSnapshot(store, id, { prepared: turn.prepared, signal });
    log().info({ snapshot: id, outcome, ms: Math.round(performance.now() - began) }, 'snapshot_store.uploaded');
    // More may have been queued for this snapshot in the meantime.
    if (uploads.waiting.get(id) === turn) uploads.waiting.delete(id);
    else Object.assign(uploads.waiting.get(id)!, { attempts: 0, dueAt: 0 });
  } catch (error) {
    if (signal.aborted) return;
    const attempts = turn.attempts + 1;
    const ms = computeBackoffMs(turn.attempts, RETRIES);
    const prepared = turn.prepared || (uploads.waiting.get(id)?.prepared ?? false);
    uploads.waiting.set(id, { prepared, attempts, dueAt: performance.now() + ms });
    log().warn({ snapshot: id, attempts, againInMs: Math.round(ms), err: error }, 'snapshot_store.upload_failed');
    await updateSnapshot(id, { storeError: toErrorBody(error).message }).catch(() => {});
  }
}
