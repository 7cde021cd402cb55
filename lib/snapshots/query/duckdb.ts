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
import { log } from '@/lib/log';
import { AppError } from '@/lib/model/errors';
import { append } from '@/lib/model/text/append';
import { processWide } from '@/lib/process-wide';
import { diskError } from '@/lib/snapshots/folder/durable';
import { LANE_NAMES, type Lane, LanePool } from './lanes';
import { databaseRoot, databaseSpill } from './spill-folder';

/**
 * The one door to DuckDB. An instance of each kind per process and data folder, opened at first use and hung on
 * globalThis, because pages and the engine are separate module graphs in one process. It may touch nothing but that
 * folder and loads no extensions. Answers are read whole, so queries must be bounded by a LIMIT or be an aggregate;
 * `streamRows` is for exports.
 */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;
/** For rooms that use one without opening it. */
export type Connection = DuckDBConnection;

/**
 * There are two databases. Sealing has its own, because its one statement sorts all rows: with less memory it writes
 * more to the disk meanwhile. A process that serves pages opens the first and has 384 MB; one that runs jobs opens both
 * and has 1 GB.
 */
const MEMORY_MB = { answers: 384, seal: 640 };
const THREADS = 2;
type DatabaseKind = keyof typeof MEMORY_MB;
let givenMB: number | null = null;
export const QUERY_TIMEOUT_MS = 30_000;

// The binding's decoder drops a leading byte order mark; names that begin with one would become other names.
(accessors as { textDecoder: TextDecoder }).textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** For a process that opens its databases afterwards and is to do with less. */
export function limitMemory(megabytes: number): void {
  givenMB = megabytes;
}

const memoryOf = (kind: DatabaseKind): number => givenMB ?? MEMORY_MB[kind];

interface Database {
  lanes: Partial<Record<Lane, LanePool>>;
  close(): void;
}

export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

async function openDatabase(dir: string, kind: DatabaseKind): Promise<Database> {
  const temporary = await databaseSpill(dir, kind, replaced().databases);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryOf(kind)}MB`,
    threads: String(THREADS),
    // Without it the bytes of a row group may be bounded. An order that is asked for is kept all the same.
    preserve_insertion_order: String(kind === 'answers'),
    temp_directory: temporary,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Freed memory goes back to the system early: the limit is for the whole process.
    allocator_flush_threshold: '32MB',
    allocator_bulk_deallocation_flush_threshold: '64MB',
  });
  const first = await instance.connect();
  await first.run(`SET allowed_directories = [${quote(path.dirname(path.resolve(dir)))}]`);
  await first.run('SET enable_external_access = false');
  // It keeps pieces of every file that was ever read until the memory limit is reached: 35 KB for each small one, also
  // of snapshots that have gone. The system's own cache holds them as well, outside of this process.
  await first.run('SET enable_external_file_cache = false');
  // What a question has freed goes back to the system soon, not when the next one asks for as much.
  await first.run('SET allocator_background_threads = true');
  // A connection cannot ask for this once the settings are locked.
  if (kind === 'seal') await first.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  await first.run('SET lock_configuration = true');
  if (kind !== 'seal') first.disconnectSync();
  const connect = async () => (kind === 'seal' ? first : instance.connect());
  const lanes: Database['lanes'] = {};
  for (const name of LANE_NAMES) if (kindOf(name) === kind) lanes[name] = new LanePool(name, connect);
  const close = () => {
    for (const pool of Object.values(lanes)) pool.retire();
    // It lives until the last connection that is lent has come back.
    instance.closeSync();
  };
  return { lanes, close };
}

const databases = () => processWide('duckdb', () => new Map<string, Promise<Database>>());
const replaced = () => processWide('duckdb-replaced', () => ({ databases: 0 }));

const kindOf = (lane: Lane): DatabaseKind => (lane === 'seal' ? 'seal' : 'answers');
const keyOf = (dir: string, kind: DatabaseKind) => `${kind} ${databaseRoot(dir)}`;

/** `dir` is a snapshot's folder; its parent is what DuckDB may see. */
function databaseFor(dir: string, kind: DatabaseKind): Promise<Database> {
  const key = keyOf(dir, kind);
  let database = databases().get(key);
  if (database === undefined) {
    database = openDatabase(dir, kind);
    databases().set(key, database);
    database.catch(() => databases().delete(key));
  }
  return database;
}

/**
 * After an error inside of it a database answers nothing any more, whoever asks. The next question opens another one;
 * the first who notices says so in the log.
 */
async function replaceDatabase(key: string, failed: Database, cause: unknown): Promise<AppError> {
  if ((await databases().get(key)) === failed) {
    databases().delete(key);
    replaced().databases++;
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
  /** Default: `ask` where somebody waits for the answer (a time limit of at most QUERY_TIMEOUT_MS), else `work`. */
  lane?: Lane | undefined;
}

export const laneOf = ({ lane, timeoutMs = Number.POSITIVE_INFINITY }: Limits): Lane =>
  lane ?? (timeoutMs <= QUERY_TIMEOUT_MS ? 'ask' : 'work');

/** A connection for a few statements in a row. It is interrupted when the time is over or the caller has gone. */
export async function withConnection<T>(
  dir: string,
  limits: Limits,
  use: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  limits.signal?.throwIfAborted();
  // Findings ask some dozens of questions at once for one reader: that is no leak, and Node would warn of one.
  if (limits.signal) setMaxListeners(0, limits.signal);
  const lane = laneOf(limits);
  const database = await databaseFor(dir, kindOf(lane));
  const pool = database.lanes[lane]!;
  const connection = await pool.borrow(limits.signal);
  // An interrupt between two statements is lost, so it is repeated until the caller has noticed.
  let again: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.interrupt();
    again ??= setInterval(() => connection.interrupt(), 50);
  };
  const timer = limits.timeoutMs === undefined ? undefined : setTimeout(stop, limits.timeoutMs);
  limits.signal?.addEventListener('abort', stop, { once: true });
  try {
    limits.signal?.throwIfAborted();
    return await use(connection);
  } catch (error) {
    if (isDatabaseOver(error)) throw await replaceDatabase(keyOf(dir, kindOf(lane)), database, error);
    limits.signal?.throwIfAborted();
    throw await readableError(error, dir);
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    limits.signal?.removeEventListener('abort', stop);
    pool.giveBack(connection);
  }
}

/** Before a question has ended, while others of the same connection may go on. */
export const isOutOfMemory = (error: unknown): boolean =>
  /^Out of Memory Error|failed to (allocate|pin block)|could not allocate/i.test(
    error instanceof Error ? error.message : String(error),
  );

/** INTERNAL: the question that ended it; FATAL: every other one behind it. */
const isDatabaseOver = (error: unknown): boolean =>
  error instanceof Error && /^(INTERNAL|FATAL) Error|database has been invalidated/.test(error.message);

async function readableError(error: unknown, dir: string): Promise<unknown> {
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
  // A question that the database does not take says nothing about the files, whose names stand in it.
  if (/^(Binder|Parser|Catalog|Conversion|Out of Range) Error/.test(text)) return error;
  const known = await diskError(error, dir);
  if (known instanceof AppError) return known;
  if (
    /IO Error|Invalid Input Error.*(parquet|magic|thrift)|No magic bytes|Parquet|TProtocol|Snappy|ZSTD|No files found|Out of buffer|corrupt/i.test(
      text,
    )
  ) {
    return new AppError('snapshot_unreadable', 'The files of this snapshot cannot be read.', {}, { cause: error });
  }
  return error;
}

/** bigint where a number holds it exactly becomes a number; sums of bytes stay below 2^53. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Values as plain JavaScript, row by row. */
export function rowsOfChunk(names: readonly string[], chunk: DuckDBDataChunk): Row[] {
  const rows: Row[] = Array.from({ length: chunk.rowCount }, () => ({}));
  for (let c = 0; c < names.length; c++) {
    const name = names[c]!;
    const values = chunk.convertColumnValues(c, JSDuckDBValueConverter);
    for (let i = 0; i < rows.length; i++) rows[i]![name] = plain(values[i]);
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
  for (const chunk of await result.fetchAllChunks()) append(rows, rowsOfChunk(names, chunk));
  return rows as T[];
}
