import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { config } from '@/lib/runtime/config';
import { getReadOnly, noteWrite, type ReadOnly } from './engines/read-only';
import { getDb, getStoreName, runRowTransaction } from './open-store';

/** Interval of probes in ms: the first while writes are refused, the second while nothing is written. */
const REFUSING_MS = 5_000;
const QUIET_MS = 60_000;

/** null = the control database accepts writes, as far as known. */
export const getStoreReadOnly = (): ReadOnly | null => getReadOnly(getStoreName());

/**
 * Writes and syncs one page without changing anything. PostgreSQL must allocate space for it, because an update that
 * fits into a page would succeed on a full disk. Errors: `store_read_only`, `data_locked`.
 */
export async function probeStore(): Promise<void> {
  const db = await getDb(undefined);
  if (config.databaseUrl === null) await sql`pragma user_version = 0`.execute(db);
  else {
    // A random name, because other processes probe at the same time.
    const table = sql.id(`write_probe_${randomBytes(6).toString('hex')}`);
    await runRowTransaction(async (tx) => {
      await sql`create table ${table} as select 1 as one`.execute(tx);
      await sql`drop table ${table}`.execute(tx);
    });
  }
  noteWrite(getStoreName());
}

/**
 * Detects that the database accepts writes again, or no longer does. On PostgreSQL only the former is probed, because
 * every process writes a sign of life anyway. Returns a function that stops it.
 */
export function keepProbing(refusingMs = REFUSING_MS, quietMs = QUIET_MS): () => void {
  let timer: NodeJS.Timeout;
  let ended = false;
  let last = Date.now();
  const probeIfDue = async () => {
    const quiet = config.databaseUrl !== null || Date.now() - last < quietMs;
    if (getStoreReadOnly() === null && quiet) return;
    last = Date.now();
    // A refusal is recorded where the write fails.
    await probeStore().catch(() => {});
  };
  const scheduleNext = () => {
    timer = setTimeout(() => void probeIfDue().finally(() => ended || scheduleNext()), refusingMs);
    timer.unref();
  };
  scheduleNext();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
