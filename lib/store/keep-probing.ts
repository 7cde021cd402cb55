import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { config } from '@/lib/config';
import { noteWrite, type ReadOnly, readOnlyOf } from './engines/read-only';
import { dbOf, rowTransaction, storeName } from './open-store';

/** While it refuses; and so often otherwise, where nobody writes. */
const REFUSING_MS = 5_000;
const QUIET_MS = 60_000;

/** null = the control database takes writes, as far as is known. */
export const storeReadOnly = (): ReadOnly | null => readOnlyOf(storeName());

/**
 * One page written and synced, which changes nothing. PostgreSQL has to take new space for it: an update that fits into
 * a page would succeed on a full disk. Errors: `store_read_only`, `data_locked`.
 */
export async function probeStore(): Promise<void> {
  const db = await dbOf(undefined);
  if (config.databaseUrl === null) await sql`pragma user_version = 0`.execute(db);
  else {
    // A name of its own: other processes find out at the same time.
    const table = sql.id(`write_probe_${randomBytes(6).toString('hex')}`);
    await rowTransaction(async (tx) => {
      await sql`create table ${table} as select 1 as one`.execute(tx);
      await sql`drop table ${table}`.execute(tx);
    });
  }
  noteWrite(storeName());
}

/**
 * Finds out by itself that the database takes writes again, or no more; of PostgreSQL, where every process writes a
 * sign of life, only the former. Returns how to end it.
 */
export function keepProbing(refusingMs = REFUSING_MS, quietMs = QUIET_MS): () => void {
  let timer: NodeJS.Timeout;
  let ended = false;
  let last = Date.now();
  const look = async () => {
    const quiet = config.databaseUrl !== null || Date.now() - last < quietMs;
    if (storeReadOnly() === null && quiet) return;
    last = Date.now();
    // What is wrong is noted where it is met.
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
