import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { Kysely, SqliteDialect, type Transaction } from 'kysely';
import { config } from '@/lib/config';
import { processWide } from '@/lib/process-wide';
import { migrate } from './migrate';
import { openSqlite } from './sqlite';
import type { Tables } from './tables';

/**
 * The control database, opened at first use (a build evaluates modules but must not create files) and kept on
 * globalThis, because pages, routes and the engine are separate copies of this module in one process.
 */
export type Tx = Transaction<Tables>;
export type Store = Kysely<Tables>;

interface Handle {
  db: Store;
  ready: Promise<unknown>;
  /** Set while a transaction runs: a query beside it would wait for the one connection for ever. */
  inside: AsyncLocalStorage<boolean>;
}

const handles = () => processWide('store', () => new Map<string, Handle>());

export const storeFile = (): string => join(config.dataDir, 'colonnade.db');

async function handle(): Promise<Handle> {
  const file = storeFile();
  let found = handles().get(file);
  if (!found) {
    const db: Store = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
    found = { db, ready: migrate(db), inside: new AsyncLocalStorage() };
    handles().set(file, found);
    // A failed start must not stick: the next call tries again.
    found.ready.catch(() => handles().delete(file));
  }
  await found.ready;
  return found;
}

/** The transaction that was handed over, or the database itself. */
export async function dbOf(tx: Tx | undefined): Promise<Store | Tx> {
  if (tx) return tx;
  const { db, inside } = await handle();
  if (inside.getStore()) throw new Error('A query inside a transaction was called without its transaction.');
  return db;
}

/** Runs `act` in one write transaction, or inside the one that is handed over. All or nothing. */
export async function transaction<T>(act: (tx: Tx) => Promise<T>, tx?: Tx): Promise<T> {
  if (tx) return act(tx);
  const { db, inside } = await handle();
  if (inside.getStore()) throw new Error('A transaction inside a transaction was opened without handing it over.');
  return db.transaction().execute((opened) => inside.run(true, () => act(opened)));
}

export async function closeStore(): Promise<void> {
  const file = storeFile();
  const found = handles().get(file);
  handles().delete(file);
  await found?.db.destroy();
}
