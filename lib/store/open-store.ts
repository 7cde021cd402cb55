/**
 * The control database. It is opened at first use (a build evaluates modules but must not create files) and kept on
 * globalThis, because pages, routes and the engine have separate copies of this module in one process.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { config } from '@/lib/runtime/config';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { isPostgres } from './engines/dialect';
import { openPostgres } from './engines/postgres';
import { parsePostgresUrl } from './engines/postgres-url';
import { getQueryDeadline, runWithoutDeadline } from './engines/query-deadline';
import { SqliteStoreDialect } from './engines/sqlite-driver';
import { wakeAfterCommit } from './engines/wake-worker';
import { migrate } from './migrate';
import { refuseHalfRestored } from './refuse-half-restored';
import type { Tables } from './tables';

export type Tx = Transaction<Tables>;
export type Store = Kysely<Tables>;

interface Handle {
  db: Store;
  /** Resolves when the tables are migrated. */
  ready: Promise<unknown>;
  /**
   * Set while a transaction runs. A write outside the transaction would wait for it forever, and a read would see old
   * data, so such calls throw.
   */
  inside: AsyncLocalStorage<boolean>;
  /**
   * Ends with the last transaction that takes the lock. Those of this process run one after the other, so that one
   * connection waits for the lock instead of all.
   */
  turn: Promise<unknown>;
}

const getHandles = () => getProcessWide('store', () => new Map<string, Handle>());

export const getStoreFile = (): string => join(config.dataDir, 'colonnade.db');

/**
 * Identifies the store: two different settings never give the same id. Do not print it, it may contain the password.
 */
export const getStoreId = (): string => config.databaseUrl?.reveal() ?? getStoreFile();

/**
 * Names by id. They are cached, because parsing an address may read a certificate, and each list of jobs reads the
 * state of the store by its name.
 */
const displays = new Map<string, string>();

/** The store as it may be printed: a file, or an address without its password. */
export function getStoreName(): string {
  if (config.databaseUrl === null) return getStoreFile();
  const id = getStoreId();
  const display = displays.get(id) ?? parsePostgresUrl(id).display;
  displays.set(id, display);
  return display;
}

function openDatabase(): Store {
  const url = config.databaseUrl;
  if (url === null) return new Kysely<Tables>({ dialect: new SqliteStoreDialect(getStoreFile()) });
  const pool = openPostgres(parsePostgresUrl(url.reveal()), getQueryDeadline);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function openHandle(): Promise<Handle> {
  const id = getStoreId();
  let found = getHandles().get(id);
  if (!found) {
    refuseHalfRestored();
    const db = openDatabase();
    const schema = config.databaseUrl && parsePostgresUrl(config.databaseUrl.reveal()).schema;
    found = {
      db,
      ready: runWithoutDeadline(() => migrate(db, schema)),
      inside: new AsyncLocalStorage(),
      turn: Promise.resolve(),
    };
    getHandles().set(id, found);
    // The next call tries again after a failed start.
    found.ready.catch(() => {
      getHandles().delete(id);
      return db.destroy().catch(() => {});
    });
  }
  await found.ready;
  return found;
}

/** The given transaction, or the database itself. Throws if a transaction is open and was not passed on. */
export async function getDb(tx: Tx | undefined): Promise<Store | Tx> {
  if (tx) return tx;
  const { db, inside } = await openHandle();
  if (inside.getStore()) throw new Error('A query inside a transaction was called without its transaction.');
  return db;
}

/**
 * Runs `act` in one write transaction, or in the given one. All of it is committed or nothing. What it reads stays
 * valid until it ends: SQLite takes its write lock at `begin`, PostgreSQL an advisory lock before the first query.
 */
export async function runTransaction<T>(act: (tx: Tx) => Promise<T>, tx?: Tx): Promise<T> {
  if (tx) return act(tx);
  const found = await openHandle();
  assertOutside(found);
  if (!isPostgres(found.db)) return begin(found, act);
  const transaction = found.turn.then(() =>
    begin(found, async (opened) => {
      await lockStore(opened);
      return act(opened);
    }),
  );
  found.turn = transaction.catch(() => {});
  return transaction;
}

/**
 * Runs writes of the job runner, which write no audit rows. It locks only the rows that are read with `getStoredJob`
 * and similar functions, so that many runners do not wait for each other. On SQLite it is the same as `runTransaction`.
 */
export async function runRowTransaction<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
  const found = await openHandle();
  assertOutside(found);
  return begin(found, act);
}

async function begin<T>({ db, inside }: Handle, act: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await db.transaction().execute((opened) => inside.run(true, () => act(opened)));
  wakeAfterCommit();
  return result;
}

function assertOutside({ inside }: Handle): void {
  if (inside.getStore()) throw new Error('A transaction inside a transaction was opened without handing it over.');
}

/** Waits for the lock of this schema, which is released when the transaction or its connection ends. */
const lockStore = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtext('colonnade'), hashtext(current_schema()))`.execute(tx);

export async function closeStore(): Promise<void> {
  const id = getStoreId();
  const found = getHandles().get(id);
  getHandles().delete(id);
  await found?.db.destroy();
}
