import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { AppError } from '@/lib/model/errors';
import { toRefusedWrite, translatePostgres } from './postgres-errors';
import type { PostgresAddress } from './postgres-url';
import { noteRefusedWrite } from './read-only';

/** The oldest version that is tested and still gets fixes, as `server_version_num` reports it. */
const MIN_VERSION = 140_000;
/** Ids of the types `bigint` and `numeric`. */
const INT8 = 20;
const NUMERIC = 1700;
/**
 * The server ends an idle transaction that holds a lock after this time, before those that wait for the lock give up.
 */
const IDLE_IN_TRANSACTION_MS = 8_000;
/** How long a query waits for a lock. */
export const LOCK_MS = 15_000;
/** After this much silence the operating system checks whether the other side is alive; its default is two hours. */
const ALIVE_MS = 10_000;

/** Every counted number fits a double. As text the numbers would be concatenated instead of added. */
const types = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** PostgreSQL stores no NUL in a text. An unpaired surrogate needs no care, because encoding to UTF-8 replaces it. */
const toStorable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Settings of every connection. */
export function buildClientSettings({ display: _, schema, ...where }: PostgresAddress): pg.ClientConfig {
  return {
    ...where,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_MS,
    application_name: 'colonnade',
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: LOCK_MS,
    ...(schema !== null && { options: `-c search_path=${schema}` }),
  };
}

/**
 * Connection pool of this process, with translated errors. No connection is opened before the first query. `deadline`
 * returns the time limit of the current query in ms; undefined = none.
 */
export function openPostgres(address: PostgresAddress, deadline: () => number | undefined): PostgresPool {
  const { display } = address;
  const pool = new pg.Pool({ ...buildClientSettings(address), max: 10, idleTimeoutMillis: 30_000 });
  // The end of a connection, idle or in use, would end the process if nothing listened. The next query reports it.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  let checked = false;
  const translateErrors = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw translatePostgres(error, display);
    }
  };
  return {
    end: () => pool.end(),
    async connect(): Promise<PostgresPoolClient> {
      const client = await translateErrors(() => pool.connect());
      let broken: Error | undefined;
      const runQuery = async (sql: unknown, parameters?: readonly unknown[]) => {
        // If a connection fell silent, waiting for a rollback would take the same time again.
        if (broken) throw translatePostgres(broken, display);
        const query = { text: sql as string, values: parameters?.map(toStorable), query_timeout: deadline() };
        try {
          return await client.query(query);
        } catch (error) {
          const refused = toRefusedWrite(error, sql, display);
          if (refused) {
            noteRefusedWrite(display, String(refused.details.cause));
            throw refused;
          }
          const translated = translatePostgres(error, display);
          if (translated instanceof AppError && translated.code === 'database_unreachable') broken = error as Error;
          throw translated;
        }
      };
      try {
        if (!checked) await assertVersion(await runQuery('show server_version_num'), display);
        checked = true;
      } catch (error) {
        client.release(broken);
        throw error;
      }
      // A connection that failed is closed instead of returned to the pool.
      return { query: runQuery, release: () => client.release(broken) } as unknown as PostgresPoolClient;
    },
  };
}

async function assertVersion({ rows }: { rows: unknown[] }, database: string): Promise<void> {
  const [row] = rows as { server_version_num: string }[];
  const version = Number(row?.server_version_num);
  if (version >= MIN_VERSION) return;
  const found = String(Math.floor(version / 10_000));
  throw new AppError('database_refused', `The database ${database} is PostgreSQL ${found}; 14 or newer is needed.`, {
    database,
    cause: found,
  });
}
