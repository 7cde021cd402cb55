/**
 * The clock that decides how long archives are kept and when quarantines end. It advances only while a process of
 * Colonnade runs, by the monotonic clock, which nobody can set. It started at the wall clock and falls behind it by all
 * time that no process observed: a wall clock that jumps by days, a suspended machine, the time between two starts. So
 * archives are kept at least as long as promised, and people always had that time to undo a deletion.
 *
 * Only one process advances it, the first one to do so; another one takes over when it has been silent for SILENT_MS.
 */

import { randomUUID } from 'node:crypto';
import { getStoreId, runTransaction, type Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from './settings';

const NAME = 'observed_clock';
/** Written at most this often. After a crash up to this much time is counted again, which keeps archives longer. */
const WRITE_EVERY_MS = 5_000;
const SILENT_MS = 20_000;
/** If a process did not read the clock for longer than this, it was suspended, and only this much time is added. */
const MAX_STEP_MS = 5 * 60_000;

/** The stored clock: observed time in epoch ms, and the process that advances it. */
interface Kept {
  at: number;
  by: string;
}
/** Holds what this process knows of the clock of one store. Times are monotonic ms. */
interface Local {
  kept: Kept;
  /** When this process last advanced or read it. */
  seen: number;
  /** When this process last saw that another one had advanced it. */
  changed: number;
  /** When this process last wrote it. */
  written: number;
}

/** This process, as the store names it. */
const me = randomUUID();
const stores = new Map<string, Local>();

/** Observed time in epoch ms. Inside a transaction, that transaction must be passed. */
export async function readObservedNow(tx?: Tx): Promise<number> {
  const file = getStoreId();
  const local = stores.get(file);
  const now = performance.now();
  if (local?.kept.by !== me) return follow(file, tx);
  local.kept.at += Math.min(MAX_STEP_MS, Math.max(0, now - local.seen));
  local.seen = now;
  if (now - local.written < WRITE_EVERY_MS) return Math.floor(local.kept.at);
  local.written = now;
  return runTransaction(async (inside) => {
    const kept = await read(inside);
    // Another process has taken over, or another store is at this place now. Its clock continues, and nothing counted
    // here is added.
    if (kept && kept.by !== me) {
      stores.delete(file);
      return kept.at;
    }
    await write(local.kept, inside);
    return Math.floor(local.kept.at);
  }, tx);
}

/** Reads the clock that another process advances, and takes it over if that process is silent. */
async function follow(file: string, tx: Tx | undefined): Promise<number> {
  return runTransaction(async (inside) => {
    const kept = (await read(inside)) ?? { at: Date.now(), by: me };
    const now = performance.now();
    const local = stores.get(file);
    const isAlive = kept.by !== me && local?.kept.at !== kept.at;
    const changed = local && !isAlive ? local.changed : now;
    const silent = kept.by === me || now - changed > SILENT_MS;
    const mine = silent ? { ...kept, by: me } : kept;
    if (silent) await write(mine, inside);
    stores.set(file, { kept: mine, seen: now, changed, written: now });
    return Math.floor(mine.at);
  }, tx);
}

async function read(tx: Tx): Promise<Kept | null> {
  const text = await getSetting(NAME, tx);
  if (text === null) return null;
  try {
    const { at, by } = JSON.parse(text);
    return Number.isFinite(at) && typeof by === 'string' ? { at, by } : null;
  } catch {
    return null;
  }
}

const write = ({ at, by }: Kept, tx: Tx) => setSetting(NAME, JSON.stringify({ at: Math.floor(at), by }), tx);

/** Converts observed time into wall-clock time (epoch ms) for pages, assuming that a process runs until then. */
export const toWallClock = (at: number | null, now: number): number | null =>
  at === null ? null : at + (Date.now() - now);
