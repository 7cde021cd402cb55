import { randomUUID } from 'node:crypto';
import { processWide } from '@/lib/process-wide';
import { storeId, type Tx, transaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from './settings';

/**
 * The clock by which copies are kept and quarantines end: it goes on only while a process of Colonnade sees time pass,
 * by the clock that nobody can set. It began with the wall clock, and falls behind it by what nobody saw: a wall clock
 * that jumps for days, a suspended machine, the time between two starts. So a copy is kept for as long as was promised
 * or longer, and somebody always had that time to take it back.
 *
 * One process counts, whichever does it first; another takes over when that one has been silent for a while.
 */
const NAME = 'observed_clock';
/** Written at most this often: so much may be counted twice after a crash, to the side of keeping. */
const WRITE_EVERY_MS = 5_000;
const SILENT_MS = 20_000;
/** A process that did not ask for so long stood still. */
const MAX_STEP_MS = 5 * 60_000;

interface Kept {
  at: number;
  by: string;
}
interface Local {
  kept: Kept;
  /** Monotonic: when it was last counted on, when it last changed, when it was last written. */
  seen: number;
  changed: number;
  written: number;
}

/** Epoch ms of observed time. Inside a transaction it needs that one. */
export async function observedNow(tx?: Tx): Promise<number> {
  const { me, stores } = processWide('observed-clock', () => ({ me: randomUUID(), stores: new Map<string, Local>() }));
  const file = storeId();
  const local = stores.get(file);
  const now = performance.now();
  if (local?.kept.by !== me) return follow(me, stores, file, tx);
  local.kept.at += Math.min(MAX_STEP_MS, Math.max(0, now - local.seen));
  local.seen = now;
  if (now - local.written < WRITE_EVERY_MS) return Math.floor(local.kept.at);
  local.written = now;
  return transaction(async (inside) => {
    const kept = await read(inside);
    // Taken over, or another store lies there now: who counts there goes on, and nothing counted here is added.
    if (kept && kept.by !== me) {
      stores.delete(file);
      return kept.at;
    }
    await write(local.kept, inside);
    return Math.floor(local.kept.at);
  }, tx);
}

/** What another process counts, or once counted. */
async function follow(me: string, stores: Map<string, Local>, file: string, tx: Tx | undefined): Promise<number> {
  return transaction(async (inside) => {
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

/** A moment of observed time as a page shows it: when it will be, if somebody looks until then. */
export const toWallClock = (at: number | null, now: number): number | null =>
  at === null ? null : at + (Date.now() - now);
