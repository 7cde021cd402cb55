import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { isProcessDead } from '@/lib/jobs/loop/process-id';
import { toErrorBody } from '@/lib/model/errors';
import { isPresent, isPresentWorker, type Presence } from '@/lib/model/presence';
import { config } from '@/lib/runtime/config';
import { findJobs } from '@/lib/store/jobs';
import { getStoreReadOnly, probeStore } from '@/lib/store/probe-store';
import { listSnapshotsToUpload } from '@/lib/store/snapshots';
import { listPresences } from '@/lib/store/workers';

export interface Health {
  ok: boolean;
  /** `readOnly`: the store answers, but refuses writes. */
  store: { ok: boolean; readOnly: boolean; error?: string };
  dataFolder: { ok: boolean; freeBytes: number | null; error?: string };
  /**
   * All processes that run jobs, together: their running jobs and the age of the newest sign of life. null: none has
   * given one, or the database cannot be queried.
   */
  engine: { ok: boolean; running: number | null; lastSignAgoMs: number | null };
  /**
   * Sealed snapshots that are not in the object store yet. null: there is no object store, or the database cannot be
   * queried.
   */
  snapshotStore: { ok: boolean; waiting: number; failing: number; error: string | null } | null;
  /** Processes that share the database; empty when it cannot be queried. */
  workers: (Omit<Presence, 'keyId'> & { ok: boolean })[];
}

/** Checks what everything depends on: the store answers, the folder can be written, and a process runs jobs. */
export async function checkHealth(): Promise<Health> {
  const [store, dataFolder, snapshotStore, { workers, engine }] = await Promise.all([
    checkStore(),
    checkFolder(),
    checkSnapshotStore(),
    listWorkers().catch(() => ({ workers: [], engine: { ok: false, running: null, lastSignAgoMs: null } })),
  ]);
  return { ok: store.ok && dataFolder.ok && engine.ok, store, dataFolder, engine, snapshotStore, workers };
}

async function checkStore(): Promise<Health['store']> {
  try {
    await findJobs({ limit: 1 });
    // A refused write may be over by now, so it is tried again; if not, the error is the current one.
    if (getStoreReadOnly()) await probeStore();
    return { ok: true, readOnly: false };
  } catch (error) {
    return { ok: false, readOnly: getStoreReadOnly() !== null, error: toErrorBody(error).message };
  }
}

/** An unreachable object store does not make Colonnade unhealthy: snapshots stay on disk and are uploaded later. */
async function checkSnapshotStore(): Promise<Health['snapshotStore']> {
  if (config.snapshotStore === null) return null;
  const waiting = await listSnapshotsToUpload().catch(() => null);
  if (waiting === null) return null;
  const failing = waiting.filter(({ storeError }) => storeError !== null);
  return {
    ok: failing.length === 0,
    waiting: waiting.length,
    failing: failing.length,
    error: failing[0]?.storeError ?? null,
  };
}

async function checkFolder(): Promise<Health['dataFolder']> {
  try {
    await access(config.dataDir, constants.R_OK | constants.W_OK);
    const disk = await statfs(config.dataDir);
    return { ok: true, freeBytes: disk.bavail * disk.bsize };
  } catch (error) {
    return { ok: false, freeBytes: null, error: String((error as NodeJS.ErrnoException).code ?? 'unknown') };
  }
}

/** Returns all processes that share the store, and a summary (`engine`) of those that run jobs. */
export async function listWorkers() {
  const presences = await listPresences();
  // A killed process of this machine is recognised before its sign of life is too old.
  const workers = presences.map(({ keyId: _, ...process }) => ({
    ...process,
    ok: isPresent(process) && !isProcessDead(process.id),
  }));
  const liveWorkers = workers.filter((process) => process.ok && isPresentWorker(process));
  const engine = {
    ok: liveWorkers.length > 0,
    running: liveWorkers.length > 0 ? liveWorkers.reduce((sum, { running }) => sum + running, 0) : null,
    lastSignAgoMs: liveWorkers.length > 0 ? Math.min(...liveWorkers.map(({ seenAgoMs }) => seenAgoMs)) : null,
  };
  return { workers, engine };
}
