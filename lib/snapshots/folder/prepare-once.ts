import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/lib/model/errors';
import { type FolderLock, type LockOptions, lockFolder, lockMark } from './folder-lock';

/**
 * What is made of a sealed snapshot once for all processes on its folder: two that made the same would take away each
 * other's pieces, and do the work twice. Whoever comes second waits, and goes on where the first has died, or has
 * stopped touching its lock: it hangs, or its clock is another.
 */
const UNSEEN_FOR_MS = 60_000;
const LOOK_EVERY_MS = 250;
/** Of the time between two looks no more counts: who was frozen meanwhile, perhaps with the holder, saw nothing. */
const MAX_LOOK_MS = 1000;

interface Preparation<T> {
  /** Names the lock: who makes something else of the folder is not waited for. */
  lock: string;
  /** null: not made yet. */
  known: () => Promise<T | null>;
  make: () => Promise<T>;
  signal?: AbortSignal | undefined;
  unseenForMs?: number;
}

export async function prepareOnce<T>(
  dir: string,
  { lock, known, make, signal, unseenForMs = UNSEEN_FOR_MS }: Preparation<T>,
): Promise<T> {
  let seen = { mark: null as string | null, forMs: 0, at: performance.now() };
  for (;;) {
    const found = await known();
    if (found !== null) return found;
    signal?.throwIfAborted();
    // By this clock, and by the changes that it sees: a lock that somebody holds is touched ten times as often.
    const mark = await lockMark(dir, lock);
    const at = performance.now();
    const forMs = seen.mark === mark ? seen.forMs + Math.min(at - seen.at, MAX_LOOK_MS) : 0;
    seen = { mark, forMs, at };
    const force = mark !== null && forMs > unseenForMs;
    const mine = await lockUnlessHeld(dir, { name: lock, unseenForMs, force });
    if (mine !== null) {
      try {
        return (await known()) ?? (await make());
      } finally {
        await mine.release();
      }
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function lockUnlessHeld(dir: string, options: LockOptions): Promise<FolderLock | null> {
  try {
    return await lockFolder(dir, options);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return null;
    throw error;
  }
}
