import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { config } from '@/lib/config';
import { isDead } from '@/lib/jobs/loop/owner';
import { toErrorBody } from '@/lib/model/errors';
import { isPresent, type Presence } from '@/lib/model/presence';
import { findJobs } from '@/lib/store/jobs';
import { probeStore, storeReadOnly } from '@/lib/store/keep-probing';
import { listUnstoredSnapshots } from '@/lib/store/snapshots';
import { listPresences } from '@/lib/store/workers';

export interface Health {
  ok: boolean;
  /** `readOnly`: it answers, and writes are refused. */
  store: { ok: boolean; readOnly: boolean; error?: string };
  dataFolder: { ok: boolean; freeBytes: number | null; error?: string };
  /** The processes that run jobs, together; null = none has given a sign of life, or the database cannot be asked. */
  engine: { ok: boolean; running: number | null; lastSignAgoMs: number | null };
  /** Sealed snapshots that are not in the object store yet; null = there is none, or the database cannot be asked. */
  snapshotStore: { ok: boolean; waiting: number; failing: number; error: string | null } | null;
  /** Processes that share the database; empty when it cannot be asked. */
  workers: (Omit<Presence, 'keyId'> & { ok: boolean })[];
}

/** What everything depends on: the store answers, the folder can be written, somebody runs jobs. */
export async function deepHealth(): Promise<Health> {
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
    // What was refused a while ago may be over; else the sentence of now.
    if (storeReadOnly()) await probeStore();
    return { ok: true, readOnly: false };
  } catch (error) {
    return { ok: false, readOnly: storeReadOnly() !== null, error: toErrorBody(error).message };
  }
}

/** One that is away makes nobody unhealthy: snapshots stay where they were made, and go up later. */
async function checkSnapshotStore(): Promise<Health['snapshotStore']> {
  if (config.snapshotStore === null) return null;
  const unstored = await listUnstoredSnapshots().catch(() => null);
  if (unstored === null) return null;
  const failing = unstored.filter(({ storeError }) => storeError !== null);
  return {
    ok: failing.length === 0,
    waiting: unstored.length,
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

/** The processes that share the store, and what those of them that run jobs do together. */
export async function listWorkers() {
  const presences = await listPresences();
  // One of this machine that was killed is known to be gone before it falls silent.
  const workers = presences.map(({ keyId: _, ...one }) => ({ ...one, ok: isPresent(one) && !isDead(one.id) }));
  const alive = workers.filter(({ ok, role }) => ok && role !== 'web');
  const engine = {
    ok: alive.length > 0,
    running: alive.length > 0 ? alive.reduce((sum, { running }) => sum + running, 0) : null,
    lastSignAgoMs: alive.length > 0 ? Math.min(...alive.map(({ seenAgoMs }) => seenAgoMs)) : null,
  };
  return { workers, engine };
}
