import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteDialect,
} from 'kysely';
import { AppError } from '@/lib/model/errors';
import { openSqlite, openSqliteReader } from './sqlite';

/** How long a write waits for the lock of another process; the same as SQLite's own limit. */
const LOCK_WAIT_MS = 5_000;
/** Interval of attempts to get that lock. */
const RETRY_EVERY_MS = 20;

type Sqlite = ReturnType<typeof openSqlite>;

/**
 * Two connections to one file. Reads use their own connection and never wait. Writes and transactions run one after the
 * other on the second connection. While another process holds the write lock, this driver waits with timers, because
 * SQLite's own waiting would block the whole thread that serves pages.
 */
export class SqliteStoreDialect extends SqliteDialect {
  constructor(private readonly file: string) {
    super({ database: async () => Promise.reject(new Error('Opened by the driver.')) });
  }

  override createDriver(): Driver {
    return new SqliteStoreDriver(this.file);
  }
}

class SqliteStoreDriver implements Driver {
  private readonly writer: Sqlite;
  private readonly reader: Sqlite;
  /** Ends with the last turn that was given to a caller. */
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(file: string) {
    // Opened in the constructor, so that an error of the file is thrown where the store is opened.
    this.writer = openSqlite(file, { waits: false });
    try {
      this.reader = openSqliteReader(file);
    } catch (error) {
      this.writer.close();
      throw error;
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    return new StoreConnection(this);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as StoreConnection).begin();
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as StoreConnection).release();
  }

  async destroy(): Promise<void> {
    this.reader.close();
    this.writer.close();
  }

  read = (query: CompiledQuery) => runCompiled(this.reader, query);
  write = (query: CompiledQuery) => runCompiled(this.writer, query);
  streamed = ({ sql, parameters }: CompiledQuery, { inside }: { inside: boolean }) =>
    (inside ? this.writer : this.reader).prepare(sql).iterate(parameters);

  /**
   * Waits for this caller's turn to write, then runs `first`. The caller must call `end` when it has finished. Errors:
   * `data_locked` if another process holds the lock for 5 s.
   */
  async inTurn<T>(first: () => T): Promise<{ result: T; end: () => void }> {
    // The limit starts when another process's lock is first met: waiting for writes of this process does not show that
    // a lock stays.
    let until: number | undefined;
    for (; ; await sleep(RETRY_EVERY_MS)) {
      const previousTurn = this.lastTurn;
      let end = () => {};
      this.lastTurn = new Promise((resolve) => {
        end = resolve;
      });
      await previousTurn;
      try {
        return { result: first(), end };
      } catch (error) {
        end();
        if (!(error instanceof AppError && error.code === 'data_locked')) throw error;
        until ??= performance.now() + LOCK_WAIT_MS;
        if (performance.now() > until) throw error;
      }
    }
  }
}

class StoreConnection implements DatabaseConnection {
  /** Ends the turn of the open transaction; undefined = none is open. */
  private end: (() => void) | undefined;

  constructor(private readonly driver: SqliteStoreDriver) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.end) return this.driver.write(query) as QueryResult<R>;
    if (SelectQueryNode.is(query.query)) return this.driver.read(query) as QueryResult<R>;
    const { result, end } = await this.driver.inTurn(() => this.driver.write(query));
    end();
    return result as QueryResult<R>;
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    for (const row of this.driver.streamed(query, { inside: this.end !== undefined })) yield { rows: [row as R] };
  }

  async begin(): Promise<void> {
    const { end } = await this.driver.inTurn(() => this.driver.write(CompiledQuery.raw('begin')));
    this.end = end;
  }

  release(): void {
    this.end?.();
    this.end = undefined;
  }
}

function runCompiled(db: Sqlite, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = db.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}
