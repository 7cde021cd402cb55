import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/lib/model/errors';
import { type FolderLock, lockFolder } from './folder-lock';

/**
 * What is made of a sealed snapshot once for all processes on its folder: two that made the same would take away each
 * other's pieces, and do the work twice. Whoever comes second waits, and goes on where the first has died.
 */
const UNSEEN_FOR_MS = 60_000;
const LOOK_EVERY_MS = 250;

interface Preparation<T> {
  /** Names the lock: who makes something else of the folder is not waited for. */
  lock: string;
  /** null: not made yet. */
  known: () => Promise<T | null>;
  make: () => Promise<T>;
  signal?: AbortSignal | undefined;
}

export async function prepareOnce<T>(dir: string, { lock, known, make, signal }: Preparation<T>): Promise<T> {
  for (;;) {
    const found = await known();
    if (found !== null) return found;
    signal?.throwIfAborted();
    const mine = await lockUnlessHeld(dir, lock);
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

async function lockUnlessHeld(dir: string, name: string): Promise<FolderLock | null> {
  try {
    return await lockFolder(dir, { name, unseenForMs: UNSEEN_FOR_MS });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return null;
    throw error;
  }
}
