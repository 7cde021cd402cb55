import { log } from '@/lib/log';
import { processWide } from '@/lib/process-wide';

/**
 * Whether the embedded database takes writes: as its last write ended. While it does not, reading goes on, each write
 * is still tried and answered `store_read_only`, and the first that succeeds ends it (keep-probing.ts makes one).
 */
export interface ReadOnly {
  /** Epoch ms of the first write that was refused. */
  since: number;
  /** As SQLite names it: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY… */
  cause: string;
}

const refusing = () => processWide('store-read-only', () => new Map<string, ReadOnly>());

/** null = the last write succeeded, or there was none. `file`: of the database. */
export const readOnlyOf = (file: string): ReadOnly | null => refusing().get(file) ?? null;

export function noteRefusedWrite(file: string, cause: string): void {
  const before = refusing().get(file);
  refusing().set(file, { since: before?.since ?? Date.now(), cause });
  if (!before) log().error({ file, cause }, 'store.read_only');
}

export function noteWrite(file: string): void {
  const before = refusing().get(file);
  if (!before) return;
  refusing().delete(file);
  log().info({ file, ms: Date.now() - before.since }, 'store.writable_again');
}
