import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { config } from '@/lib/config';
import { readEngineHeartbeat } from '@/lib/jobs/loop/engine-heartbeat';
import { toErrorBody } from '@/lib/model/errors';
import { type Presence, SILENT_AFTER_MS } from '@/lib/model/presence';
import { findJobs } from '@/lib/store/jobs';
import { probeStore, storeReadOnly } from '@/lib/store/keep-probing';
import { listUnstoredSnapshots } from '@/lib/store/snapshots';
import { listPresences } from '@/lib/store/workers';

export interface Health {
  ok: boolean;
  /** `readOnly`: it answers, and writes are refused. */
  store: { ok: boolean; readOnly: boolean; error?: string };
  dataFolder: { ok: boolean; freeBytes: number | null; error?: string };
  engine: { ok: boolean; running: number | null; lastCycleAgoMs: number | null };
  /** Sealed snapshots that are not in the object store yet; null = there is none, or the database cannot be asked. */
  snapshotStore: { ok: boolean; waiting: number; failing: number; error: string | null } | null;
  /** Processes that share the database; empty with the embedded one, or when it cannot be asked. */
  workers: (Omit<Presence, 'keyId'> & { ok: boolean })[];
}

/** The loop looks around every half second (every ten when the store fails); longer silence means that it hangs. */
const ENGINE_SILENCE_MS = 30_000;

/** What everything depends on: the store answers, the folder can be written, the loop turns. */
export async function deepHealth(): Promise<Health> {
  const [store, dataFolder, snapshotStore, presences] = await Promise.all([
    checkStore(),
    checkFolder(),
    checkSnapshotStore(),
    listPresences().catch(() => []),
  ]);
  const workers = presences.map(({ keyId: _, ...one }) => ({ ...one, ok: one.seenAgoMs < SILENT_AFTER_MS }));
  const heartbeat = readEngineHeartbeat();
  const lastCycleAgoMs = heartbeat ? Date.now() - heartbeat.lastCycleAt : null;
  const turns = lastCycleAgoMs !== null && lastCycleAgoMs < ENGINE_SILENCE_MS;
  const engine = {
    // A process that serves pages only has no loop: somebody else's must turn.
    ok: config.role === 'web' ? workers.some((one) => one.ok && one.role !== 'web') : turns,
    running: heartbeat?.running ?? null,
    lastCycleAgoMs,
  };
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
