import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { config } from '@/lib/runtime/config';
import { noteWrite, type ReadOnly, readOnlyOf } from './engines/read-only';
import { dbOf, rowTransaction, storeName } from './open-store';

/** Interval of probes in ms: the first while writes are refused, the second while nothing is written. */
const REFUSING_MS = 5_000;
const QUIET_MS = 60_000;

/** null = the control database accepts writes, as far as known. */
export const storeReadOnly = (): ReadOnly | null => readOnlyOf(storeName());

/**
 * Writes and syncs one page without changing anything. PostgreSQL must allocate space for it, because an update that
 * fits into a page would succeed on a full disk. Errors: `store_read_only`, `data_locked`.
 */
export async function probeStore(): Promise<void> {
  const db = await dbOf(undefined);
  if (config.databaseUrl === null) await sql`pragma user_version = 0`.execute(db);
  else {
    // A random name, because other processes probe at the same time.
    const table = sql.id(`write_probe_${randomBytes(6).toString('hex')}`);
    await rowTransaction(async (tx) => {
      await sql`create table ${table} as select 1 as one`.execute(tx);
      await sql`drop table ${table}`.execute(tx);
    });
  }
  noteWrite(storeName());
}

/**
 * Detects that the database accepts writes again, or no longer does. On PostgreSQL only the former is probed, because
 * every process writes a sign of life anyway. Returns a function that stops it.
 */
export function keepProbing(refusingMs = REFUSING_MS, quietMs = QUIET_MS): () => void {
  let timer: NodeJS.Timeout;
  let ended = false;
  let last = Date.now();
  const look = async () => {
    const quiet = config.databaseUrl !== null || Date.now() - last < quietMs;
    if (storeReadOnly() === null && quiet) return;
    last = Date.now();
    // A refusal is recorded where the write fails.
    await probeStore().catch(() => {});
  };
  const next = () => {
    timer = setTimeout(() => void look().finally(() => ended || next()), refusingMs);
    timer.unref();
  };
  next();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
