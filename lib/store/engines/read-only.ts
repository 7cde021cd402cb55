import { log } from '@/lib/log';
import { processWide } from '@/lib/process-wide';

/**
 * Whether the control database takes writes: as its last write ended, of PostgreSQL as the last probe. While it does
 * not, reading goes on, each write is still tried and answered `store_read_only`, and it ends by itself
 * (keep-probing.ts).
 */
export interface ReadOnly {
  /** Epoch ms of the first write that was refused. */
  since: number;
  /** As the database names it: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY…; 25006, 53100. */
  cause: string;
}

const refusing = () => processWide('store-read-only', () => new Map<string, ReadOnly>());

/** null = the last write succeeded, or there was none. `store`: the file, or the address without its password. */
export const readOnlyOf = (store: string): ReadOnly | null => refusing().get(store) ?? null;

export function noteRefusedWrite(store: string, cause: string): void {
  const before = refusing().get(store);
  refusing().set(store, { since: before?.since ?? Date.now(), cause });
  if (!before) log().error({ store, cause }, 'store.read_only');
}

export function noteWrite(store: string): void {
  const before = refusing().get(store);
  if (!before) return;
  refusing().delete(store);
  log().info({ store, ms: Date.now() - before.since }, 'store.writable_again');
}
