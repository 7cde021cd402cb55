import { access } from 'node:fs/promises';
import path from 'node:path';
import { JobBlocked, type JobContext } from '@/lib/jobs/loop/kind';
import { RetryBackoff } from '@/lib/jobs/retry/retry-backoff';
import { AppError } from '@/lib/model/errors';
import type { WaitReason } from '@/lib/model/job';
import { log } from '@/lib/runtime/log';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import type { StoredFile } from '@/lib/snapshots/remote/contents';
import type { ObjectStore } from '@/lib/snapshots/remote/objects/object-store';
import { bringScanFiles } from '@/lib/snapshots/remote/scan-files';
import { partsOf } from './parts-in-store';
import type { ScanCheckpoint } from './scan-checkpoint';

const MB = 1024 * 1024;

/**
 * Whether this disk has all parts that the checkpoint lists, or the sealed snapshot. Some of the parts are not enough:
 * the scan was on this disk before, and another worker has continued it.
 */
export async function partsAreHere(checkpoint: ScanCheckpoint): Promise<boolean> {
  const dir = snapshotFolder(checkpoint.snapshotId);
  const isSealed = async () => (await readManifest(dir).catch(() => null))?.state === 'sealed';
  // Parts are kept until the manifest says that the snapshot is sealed.
  if (checkpoint.readingDone && (await isSealed())) return true;
  const parts = partsOf(checkpoint);
  const there = (parts.length === 0 ? [dir] : parts.map((part) => path.join(dir, part))).map((file) => access(file));
  return (await Promise.allSettled(there)).every(({ status }) => status === 'fulfilled');
}

/**
 * Downloads from the object store what a worker with another disk has read; returns the state to continue from. null:
 * there is none, or it arrived damaged, so the scan starts again. It waits for a store that does not answer or refuses,
 * because reading hours of keys again is worse; a person who prefers that can cancel the job and start another. Errors:
 * `disk_full`; JobBlocked, with the reason, when it waited for the store in vain.
 */
export async function goOnElsewhere(
  context: Pick<
    JobContext<unknown, ScanCheckpoint>,
    'signal' | 'stopped' | 'stopRequested' | 'withoutPlace' | 'report'
  >,
  store: ObjectStore,
  { portable, stored = [] }: ScanCheckpoint,
  retryForMs: number,
): Promise<ScanCheckpoint | 'stopped' | null> {
  const files = portable && filesOf(portable, stored);
  if (!portable || !files) return null;
  const show = (reason: WaitReason | null) => context.report({ reason });
  const backoff = new RetryBackoff({
    stopped: context.stopped,
    withoutPlace: (wait) => context.withoutPlace(wait),
    retryForMs,
    givingUp: (reason) => new JobBlocked(reason),
    report: show,
  });
  const stop = new AbortController();
  void context.stopped.then(() => stop.abort());
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const since = Date.now();
  const onProgress = (done: number, total: number) => {
    const [doneMb, totalMb] = [done, total].map((bytes) => Math.ceil(bytes / MB)) as [number, number];
    show({ code: 'parts_fetching', params: { doneMb, totalMb }, since });
  };
  while (context.stopRequested() === null) {
    try {
      await bringScanFiles(store, portable.snapshotId, files, { signal, onProgress });
      show(null);
      log().info({ snapshot: portable.snapshotId, files: files.length }, 'scan.parts_fetched');
      // This is a copy, because the scan changes the state it continues from.
      return { ...structuredClone(portable), stored, portable };
    } catch (error) {
      if (stop.signal.aborted && !context.signal.aborted) break;
      if (isLost(error)) {
        log().warn({ snapshot: portable.snapshotId, err: error }, 'scan.parts_lost');
        show(null);
        return null;
      }
      await backoff.wait(reasonOf(error));
    }
  }
  return 'stopped';
}

/** Returns the files of a state in the store; null: the store is not known to hold all of them. */
function filesOf(state: ScanCheckpoint, stored: readonly StoredFile[]): StoredFile[] | null {
  const known = new Map(stored.map((file) => [file.path, file]));
  const beside = BESIDE.filter((file) => known.has(file));
  const names = [...partsOf(state), ...(state.readingDone ? [MANIFEST_FILE, ...beside] : [])];
  const files = names.flatMap((name) => known.get(name) ?? []);
  return files.length === names.length && files.length > 0 ? files : null;
}

/** Whether the files are lost, so that another try would fail too. */
const isLost = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'snapshot_unreadable' || error.details.why === 'checksum');

function reasonOf(error: unknown): Omit<WaitReason, 'since'> {
  const isStore =
    error instanceof AppError && (error.code === 'snapshot_store_away' || error.code === 'snapshot_store_refused');
  if (!isStore) throw error;
  return { code: error.code as WaitReason['code'], params: { message: error.message } };
}
