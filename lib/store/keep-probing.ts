import { sql } from 'kysely';
import { config } from '@/lib/config';
import { dbOf, storeFile } from './open-store';
import { noteWrite, type ReadOnly, readOnlyOf } from './read-only';

/** While it refuses; and so often otherwise, for a house in which nobody writes. */
const REFUSING_MS = 5_000;
const QUIET_MS = 60_000;

/** null = the control database takes writes, as far as is known; PostgreSQL is asked by each write alone. */
export const storeReadOnly = (): ReadOnly | null => (config.databaseUrl === null ? readOnlyOf(storeFile()) : null);

/** One page written and synced, which changes nothing. Errors: `store_read_only`, `data_locked`. */
export async function probeStore(): Promise<void> {
  if (config.databaseUrl !== null) return;
  const file = storeFile();
  const db = await dbOf(undefined);
  await sql`pragma user_version = 0`.execute(db);
  noteWrite(file);
}

/** Finds out by itself that the database takes writes again, or no more. Returns how to end it. */
export function keepProbing(refusingMs = REFUSING_MS, quietMs = QUIET_MS): () => void {
  let timer: NodeJS.Timeout;
  let ended = false;
  let last = Date.now();
  const look = async () => {
    const quiet = Date.now() - last < quietMs;
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
