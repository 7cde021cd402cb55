import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { config } from '@/lib/config';
import { readEngineHeartbeat } from '@/lib/jobs/loop/engine-heartbeat';
import { toErrorBody } from '@/lib/model/errors';
import { findStoredJobs } from '@/lib/store/jobs';

export interface Health {
  ok: boolean;
  store: { ok: boolean; error?: string };
  dataFolder: { ok: boolean; freeBytes: number | null; error?: string };
  engine: { ok: boolean; running: number | null; lastCycleAgoMs: number | null };
}

/** The loop looks around every half second (every ten when the store fails); longer silence means that it hangs. */
const ENGINE_SILENCE_MS = 30_000;

/** What the house stands on: the store answers, the folder can be written, the loop turns. */
export async function deepHealth(): Promise<Health> {
  const [store, dataFolder] = await Promise.all([checkStore(), checkFolder()]);
  const heartbeat = readEngineHeartbeat();
  const lastCycleAgoMs = heartbeat ? Date.now() - heartbeat.lastCycleAt : null;
  const engine = {
    ok: lastCycleAgoMs !== null && lastCycleAgoMs < ENGINE_SILENCE_MS,
    running: heartbeat?.running ?? null,
    lastCycleAgoMs,
  };
  return { ok: store.ok && dataFolder.ok && engine.ok, store, dataFolder, engine };
}

async function checkStore(): Promise<Health['store']> {
  try {
    await findStoredJobs({ limit: 1 });
    return { ok: true };
  } catch (error) {
    return { ok: false, error: toErrorBody(error).message };
  }
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
