import { AppError, type ErrorCode } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';

/**
 * That somebody was here, which must stop nobody from reading: while the store cannot be written, or its lock is held
 * by another process, it is remembered in this process alone, so that a session in use does not end as idle when its
 * person cannot sign in again.
 */
const remembered = () => processWide('unwritten-touches', () => new Map<string, number>());
const MAX_REMEMBERED = 50_000;
/** What a store says that may still be read. */
const UNWRITTEN = new Set<ErrorCode>(['store_read_only', 'data_locked', 'database_unreachable', 'database_refused']);

/** The later of what is stored and what could not be. `id`: of a session or a token. */
export const seenAt = (id: string, stored: number): number => Math.max(stored, remembered().get(id) ?? 0);

export async function touchWhenWritable(id: string, now: number, touch: () => Promise<void>): Promise<void> {
  try {
    await touch();
    remembered().delete(id);
  } catch (error) {
    if (!(error instanceof AppError) || !UNWRITTEN.has(error.code)) throw error;
    if (remembered().size < MAX_REMEMBERED || remembered().has(id)) remembered().set(id, now);
  }
}
