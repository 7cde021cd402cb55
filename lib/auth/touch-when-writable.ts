import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ErrorCode } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';

/**
 * That somebody was here, which must stop nobody from reading: while the store cannot be written, or its lock is held
 * by another process, it is remembered in this process alone, so that a session in use does not end as idle when its
 * person cannot sign in again.
 */
const remembered = () => processWide('unwritten-touches', () => new Map<string, number>());
const MAX_REMEMBERED = 50_000;
const TOUCH_WAIT_MS = 50;
/** What a store says that may still be read. */
const UNWRITTEN = new Set<ErrorCode>(['store_read_only', 'data_locked', 'database_unreachable', 'database_refused']);

/** The later of what is stored and what could not be. `id`: of a session or a token. */
export const seenAt = (id: string, stored: number): number => Math.max(stored, remembered().get(id) ?? 0);

/**
 * Waits for the write only as long as an unlocked store takes: a page must not stand for seconds because another
 * process backs up. Until it is written, or cannot be, the time is remembered, so that one request of many writes it.
 */
export async function touchWhenWritable(id: string, now: number, touch: () => Promise<void>): Promise<void> {
  const times = remembered();
  if (times.size < MAX_REMEMBERED || times.has(id)) times.set(id, now);
  const forget = () => {
    if (times.get(id) === now) times.delete(id);
  };
  const writing = touch().then(forget, (error) => {
    if (error instanceof AppError && UNWRITTEN.has(error.code)) return;
    forget();
    throw error;
  });
  // What fails after the answer fails for the next request too, which says so.
  writing.catch(() => undefined);
  await Promise.race([writing, sleep(TOUCH_WAIT_MS, undefined, { ref: false })]);
}
