/**
 * All access to DuckDB goes through this file. There is one instance of each kind per process and data folder. It is
 * opened at first use and kept on globalThis, because pages and the engine are separate module graphs in one process.
 * It can read and write only that folder and loads no extensions. Results are read completely into memory, so a query
 * must be bounded by a LIMIT or be an aggregate; `streamRows` is for exports.
 */

import { setMaxListeners } from 'node:events';
import path from 'node:path';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBValue,
  JSDuckDBValueConverter,
} from '@duckdb/node-api';
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';
import { AppError } from '@/lib/model/errors';
import { append } from '@/lib/model/text/append';
import { log } from '@/lib/runtime/log';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { toDiskError } from '@/lib/snapshots/folder/durable';
import { LANE_NAMES, type Lane, LanePool } from './lanes';
import { findDatabaseRoot, getDatabaseSpill } from './spill-folder';

export type SqlValue = string | number | bigint | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;
/** The type of a connection, for modules that use one but do not open it. */
export type Connection = DuckDBConnection;

/**
 * Memory limits of the two databases, in MB. Sealing has its own database, because its one statement sorts all rows:
 * with less memory it writes more to the disk. A process that serves pages opens the first and needs 384 MB; one that
 * runs jobs opens both and needs 0.9 GB.
 */
const MEMORY_MB = { answers: 384, seal: 512 };
const THREADS = 2;
type DatabaseKind = keyof typeof MEMORY_MB;
let givenMB: number | null = null;
/** Maximum time of a query for which a person waits. */
export const QUERY_TIMEOUT_MS = 30_000;

// The binding's decoder drops a leading byte order mark, which would change names that begin with one.
(accessors as { textDecoder: TextDecoder }).textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Sets the memory limit of each database that this process opens afterwards, in MB. For tests. */
export function limitMemory(megabytes: number): void {
  givenMB = megabytes;
}

/** Folders that databases opened afterwards may read too: the command line compares snapshots of different places. */
const moreFolders = new Set<string>();
export const allowReading = (folder: string): void => void moreFolders.add(path.resolve(folder));

const getMemoryLimit = (kind: DatabaseKind): number => givenMB ?? MEMORY_MB[kind];

interface Database {
  lanes: Partial<Record<Lane, LanePool>>;
  close(): void;
}

/** Writes a text as a literal of SQL. */
export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
/** Writes the paths of files in a folder as the elements of a list in SQL. */
export const quoteFiles = (dir: string, files: readonly string[]) =>
  files.map((file) => quote(path.join(dir, file))).join(', ');

async function openDatabase(dir: string, kind: DatabaseKind): Promise<Database> {
  const temporary = await getDatabaseSpill(dir, kind, getReplacedDatabases().databases);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${getMemoryLimit(kind)}MB`,
    threads: String(THREADS),
    // Sealing turns this off, because ROW_GROUP_SIZE_BYTES requires it. An ORDER BY is respected in either case.
    preserve_insertion_order: String(kind === 'answers'),
    temp_directory: temporary,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Return freed memory to the system early, because the limit is for the whole process.
    allocator_flush_threshold: '32MB',
    allocator_bulk_deallocation_flush_threshold: '64MB',
  });
  const first = await instance.connect();
  const readable = [path.dirname(path.resolve(dir)), ...moreFolders].map(quote);
  await first.run(`SET allowed_directories = [${readable.join(', ')}]`);
  await first.run('SET enable_external_access = false');
  // This cache would keep pieces of every file that was ever read until the memory limit is reached: 35 KB for each
  // small file, also of deleted snapshots. The page cache of the system holds them too, outside of this process.
  await first.run('SET enable_external_file_cache = false');
  // Freed memory returns to the system soon after a query, not only when the next one allocates as much.
  await first.run('SET allocator_background_threads = true');
  // Progress has to be enabled before the configuration is locked.
  if (kind === 'seal') await first.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  await first.run('SET lock_configuration = true');
  if (kind !== 'seal') first.disconnectSync();
  const connect = async () => (kind === 'seal' ? first : instance.connect());
  const lanes: Database['lanes'] = {};
  for (const name of LANE_NAMES) if (toDatabaseKind(name) === kind) lanes[name] = new LanePool(name, connect);
  const close = () => {
    for (const pool of Object.values(lanes)) pool.retire();
    // The instance stays alive until the last borrowed connection has been returned.
    instance.closeSync();
  };
  return { lanes, close };
}

const getDatabases = () => getProcessWide('duckdb', () => new Map<string, Promise<Database>>());
const getReplacedDatabases = () => getProcessWide('duckdb-replaced', () => ({ databases: 0 }));

const toDatabaseKind = (lane: Lane): DatabaseKind => (lane === 'seal' ? 'seal' : 'answers');
const toDatabaseKey = (dir: string, kind: DatabaseKind) => `${kind} ${findDatabaseRoot(dir)}`;

/** Returns the database for a snapshot folder and opens it if needed. DuckDB can read the parent of `dir`. */
function getDatabase(dir: string, kind: DatabaseKind): Promise<Database> {
  const key = toDatabaseKey(dir, kind);
  let database = getDatabases().get(key);
  if (database === undefined) {
    database = openDatabase(dir, kind);
    getDatabases().set(key, database);
    database.catch(() => getDatabases().delete(key));
  }
  return database;
}

/**
 * Drops a database that has ended. After an internal error a database refuses every query. The next query opens another
 * one; the first caller that notices logs it. Returns the error for the caller: `busy`.
 */
async function replaceDatabase(key: string, failed: Database, cause: unknown): Promise<AppError> {
  if ((await getDatabases().get(key)) === failed) {
    getDatabases().delete(key);
    getReplacedDatabases().databases++;
    failed.close();
    log().error({ err: cause }, 'snapshot.database_failed');
  }
  return new AppError(
    'busy',
    'The database that answers questions has ended and is started again. Try again in a moment.',
    { retryAfterSeconds: 1 },
    { cause },
  );
}

export interface Limits {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Default: `ask` if a person waits for the answer (a time limit of at most QUERY_TIMEOUT_MS), else `work`. */
  lane?: Lane | undefined;
}

export const chooseDefaultLane = ({ lane, timeoutMs = Number.POSITIVE_INFINITY }: Limits): Lane =>
  lane ?? (timeoutMs <= QUERY_TIMEOUT_MS ? 'ask' : 'work');

/**
 * Borrows a connection for a few statements in a row. They are interrupted when the time is over or the signal is
 * aborted.
 */
export async function withConnection<T>(
  dir: string,
  limits: Limits,
  use: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  limits.signal?.throwIfAborted();
  // Findings start some dozens of queries with one signal. Node would warn of a leak of listeners, which it is not.
  if (limits.signal) setMaxListeners(0, limits.signal);
  const lane = chooseDefaultLane(limits);
  const database = await getDatabase(dir, toDatabaseKind(lane));
  const pool = database.lanes[lane]!;
  const connection = await pool.borrow(limits.signal);
  // An interrupt between two statements has no effect, so it is repeated until the caller has noticed.
  let repeating: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.interrupt();
    repeating ??= setInterval(() => connection.interrupt(), 50);
  };
  const timer = limits.timeoutMs === undefined ? undefined : setTimeout(stop, limits.timeoutMs);
  limits.signal?.addEventListener('abort', stop, { once: true });
  try {
    limits.signal?.throwIfAborted();
    return await use(connection);
  } catch (error) {
    if (isDatabaseOver(error)) throw await replaceDatabase(toDatabaseKey(dir, toDatabaseKind(lane)), database, error);
    limits.signal?.throwIfAborted();
    throw await toReadableError(error, dir);
  } finally {
    clearTimeout(timer);
    clearInterval(repeating);
    limits.signal?.removeEventListener('abort', stop);
    pool.giveBack(connection);
  }
}

/**
 * Whether a query failed because it ran out of memory. For use inside `withConnection`, before the error is translated,
 * while other queries of the same connection may continue.
 */
export const isOutOfMemory = (error: unknown): boolean =>
  /^Out of Memory Error|failed to (allocate|pin block)|could not allocate/i.test(
    error instanceof Error ? error.message : String(error),
  );

/**
 * Whether the database has ended. INTERNAL is the error of the query that ended it, FATAL that of every later query.
 */
const isDatabaseOver = (error: unknown): boolean =>
  error instanceof Error && /^(INTERNAL|FATAL) Error|database has been invalidated/.test(error.message);

async function toReadableError(error: unknown, dir: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/INTERRUPT/i.test(text)) {
    return new AppError(
      'too_large',
      'The question took too long. Narrow it with a prefix or a filter.',
      {},
      { cause: error },
    );
  }
  if (isOutOfMemory(error)) {
    return new AppError(
      'too_large',
      'The answer does not fit into the memory for questions. Narrow it with a prefix or a filter, or try again when fewer questions are being answered.',
      { reason: 'memory' },
      { cause: error },
    );
  }
  // An error in the SQL text says nothing about the files, although their names are part of the message.
  if (/^(Binder|Parser|Catalog|Conversion|Out of Range) Error/.test(text)) return error;
  const diskError = await toDiskError(error, dir);
  if (diskError instanceof AppError) return diskError;
  if (
    /IO Error|Invalid Input Error.*(parquet|magic|thrift)|No magic bytes|Parquet|TProtocol|Snappy|ZSTD|No files found|Out of buffer|corrupt/i.test(
      text,
    )
  ) {
    return new AppError('snapshot_unreadable', 'The files of this snapshot cannot be read.', {}, { cause: error });
  }
  return error;
}

/**
 * Converts a chunk to rows of plain JavaScript values. A bigint becomes a number, which is exact, because sums of bytes
 * stay below 2^53.
 */
export function readChunkRows(names: readonly string[], chunk: DuckDBDataChunk): Row[] {
  const rows: Row[] = Array.from({ length: chunk.rowCount }, () => ({}));
  for (let c = 0; c < names.length; c++) {
    const name = names[c]!;
    const values = chunk.convertColumnValues(c, JSDuckDBValueConverter);
    for (let i = 0; i < rows.length; i++) {
      const value = values[i];
      rows[i]![name] = typeof value === 'bigint' ? Number(value) : value;
    }
  }
  return rows;
}

export async function queryRows<T extends Row>(
  connection: DuckDBConnection,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<T[]> {
  const result = await connection.run(sql, values as DuckDBValue[]);
  const names = result.columnNames();
  const rows: Row[] = [];
  for (const chunk of await result.fetchAllChunks()) append(rows, readChunkRows(names, chunk));
  return rows as T[];
}
