import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/lib/model/errors';
import { type FolderLock, type LockOptions, lockFolder, readLockMark } from './folder-lock';

/** The lock of another process must have been unchanged for this long, ms, by the clock of the waiting process. */
const UNSEEN_FOR_MS = 60_000;
/** How often a waiting process looks for the result and at the lock. */
const LOOK_EVERY_MS = 250;
/**
 * In ms: a longer time between two looks counts only as this much. A process that was suspended in between, perhaps
 * together with the holder, has seen nothing.
 */
const MAX_LOOK_MS = 1000;

interface Preparation<T> {
  /**
   * File name of the lock. A process that computes something else from the same folder has another lock and is not
   * waited for.
   */
  lock: string;
  /** Returns the result; null: it has not been computed. */
  known: () => Promise<T | null>;
  make: () => Promise<T>;
  signal?: AbortSignal | undefined;
  unseenForMs?: number;
}

/**
 * Computes something once from a sealed snapshot for all processes that share its folder. Two processes that computed
 * the same would do the work twice and remove each other's files. The second process waits. It takes over when the
 * first one has died or has stopped touching its lock, because it hangs or its clock is wrong.
 */
export async function prepareOnce<T>(
  dir: string,
  { lock, known, make, signal, unseenForMs = UNSEEN_FOR_MS }: Preparation<T>,
): Promise<T> {
  let seen = { mark: null as string | null, forMs: 0, at: performance.now() };
  for (;;) {
    const found = await known();
    if (found !== null) return found;
    signal?.throwIfAborted();
    // Time is measured by this process's clock and by the changes it sees in the lock. A live holder touches its lock
    // ten times in `unseenForMs`.
    const mark = await readLockMark(dir, lock);
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
