import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ErrorCode } from '@/lib/model/errors';
import { getProcessWide } from '@/lib/runtime/process-wide';

/**
 * The last use of sessions and tokens that could not be saved. Saving it must not keep anyone from reading: while the
 * store cannot be written, or another process holds its lock, it is kept in this process only, so that a session in use
 * does not end as idle when its user cannot sign in again.
 */
const getUnsavedTouches = () => getProcessWide('unwritten-touches', () => new Map<string, number>());
const MAX_REMEMBERED = 50_000;
const TOUCH_WAIT_MS = 50;
/** Errors of a store that can still be read. */
const UNWRITTEN = new Set<ErrorCode>(['store_read_only', 'data_locked', 'database_unreachable', 'database_refused']);

/**
 * Returns the last use, ms: the later of the stored time and the one that could not be saved. `id`: of a session or a
 * token.
 */
export const getLastSeen = (id: string, stored: number): number => Math.max(stored, getUnsavedTouches().get(id) ?? 0);

/**
 * Saves a use, and waits only as long as a write to an unlocked store takes: a page must not wait for seconds because
 * another process makes a backup. The time is remembered meanwhile, so that only one of many requests saves it; it
 * stays remembered if the store cannot be written.
 */
export async function touchWhenWritable(id: string, now: number, touch: () => Promise<void>): Promise<void> {
  const times = getUnsavedTouches();
  if (times.size < MAX_REMEMBERED || times.has(id)) times.set(id, now);
  const forget = () => {
    if (times.get(id) === now) times.delete(id);
  };
  const writing = touch().then(forget, (error) => {
    if (error instanceof AppError && UNWRITTEN.has(error.code)) return;
    forget();
    throw error;
  });
  // An error after the wait is not reported here; the next request gets it too and reports it.
  writing.catch(() => undefined);
  await Promise.race([writing, sleep(TOUCH_WAIT_MS, undefined, { ref: false })]);
}
