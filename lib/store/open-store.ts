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

/**
 * The control database. It is opened at first use (a build evaluates modules but must not create files) and kept on
 * globalThis, because pages, routes and the engine have separate copies of this module in one process.
 */
export type Tx = Transaction<Tables>;
export type Store = Kysely<Tables>;

interface Handle {
  db: Store;
  ready: Promise<unknown>;
  /**
   * Set while a transaction runs. A write outside the transaction would wait for it forever, and a read would see old
   * data, so such calls throw.
   */
  inside: AsyncLocalStorage<boolean>;
  /**
   * Transactions of this process that take the lock run one after the other, so that one connection waits instead of
   * all.
   */
  turn: Promise<unknown>;
}

const getHandles = () => getProcessWide('store', () => new Map<string, Handle>());

export const getStoreFile = (): string => join(config.dataDir, 'colonnade.db');

/**
 * Identifies the store: two different settings never give the same id. Do not print it, it may contain the password.
 */
export const getStoreId = (): string => config.databaseUrl?.reveal() ?? getStoreFile();

/** Cached, because parsing an address may read a certificate, and every shown job asks for the state of the store. */
const displays = new Map<string, string>();

/** The store as it may be printed: a file, or an address without its password. */
export function getStoreName(): string {
  if (config.databaseUrl === null) return getStoreFile();
  const id = getStoreId();
  const display = displays.get(id) ?? parsePostgresUrl(id).display;
  displays.set(id, display);
  return display;
}

function open(): Store {
  const url = config.databaseUrl;
  if (url === null) return new Kysely<Tables>({ dialect: new SqliteStoreDialect(getStoreFile()) });
  const pool = openPostgres(parsePostgresUrl(url.reveal()), getQueryDeadline);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function handle(): Promise<Handle> {
  const id = getStoreId();
  let found = getHandles().get(id);
  if (!found) {
    refuseHalfRestored();
    const db = open();
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
  const { db, inside } = await handle();
  if (inside.getStore()) throw new Error('A query inside a transaction was called without its transaction.');
  return db;
}

/**
 * Runs `act` in one write transaction, or in the given one. All of it is committed or nothing. What it reads stays
 * valid until it ends: SQLite takes its write lock at `begin`, PostgreSQL an advisory lock before the first query.
 */
export async function runTransaction<T>(act: (tx: Tx) => Promise<T>, tx?: Tx): Promise<T> {
  if (tx) return act(tx);
  const found = await handle();
  assertOutside(found);
  if (!isPostgres(found.db)) return begin(found, act);
  const mine = found.turn.then(() =>
    begin(found, async (opened) => {
      await lockStore(opened);
      return act(opened);
    }),
  );
  found.turn = mine.catch(() => {});
  return mine;
}

/**
 * For writes of the job runner, which write no audit rows. It locks only the rows that are read with `getStoredJob` and
 * similar functions, so that many runners do not wait for each other. On SQLite it is the same as `runTransaction`.
 */
export async function runRowTransaction<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
  const found = await handle();
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

/** The first statement of a transaction; the lock is released when the transaction or its connection ends. */
const lockStore = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtext('colonnade'), hashtext(current_schema()))`.execute(tx);

export async function closeStore(): Promise<void> {
  const id = getStoreId();
  const found = getHandles().get(id);
  getHandles().delete(id);
  await found?.db.destroy();
}
