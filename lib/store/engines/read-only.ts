import { log } from '@/lib/runtime/log';
import { getProcessWide } from '@/lib/runtime/process-wide';

/**
 * Whether the control database accepts writes, by its last write (on PostgreSQL also by the last probe). While it does
 * not, reading goes on, and each write is still tried and fails with `store_read_only`. The state ends without a
 * restart (probe-store.ts).
 */
export interface ReadOnly {
  /** Epoch ms of the first refused write. */
  since: number;
  /** The database's own code: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY…; 25006, 53100. */
  cause: string;
}

const getRefusing = () => getProcessWide('store-read-only', () => new Map<string, ReadOnly>());

/** null = the last write succeeded, or there was none. `store` is the file, or the address without its password. */
export const getReadOnly = (store: string): ReadOnly | null => getRefusing().get(store) ?? null;

export function noteRefusedWrite(store: string, cause: string): void {
  const before = getRefusing().get(store);
  getRefusing().set(store, { since: before?.since ?? Date.now(), cause });
  if (!before) log().error({ store, cause }, 'store.read_only');
}

export function noteWrite(store: string): void {
  const before = getRefusing().get(store);
  if (!before) return;
  getRefusing().delete(store);
  log().info({ store, ms: Date.now() - before.since }, 'store.writable_again');
}
