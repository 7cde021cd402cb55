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

/** How long a write waits for one of another process; as long as SQLite itself did before. */
const LOCK_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 20;

type Sqlite = ReturnType<typeof openSqlite>;

/**
 * Two connections to one file. What only reads goes over its own and waits for nobody; writes and transactions come one
 * after the other on the second. While another process holds the write lock, the thread that serves pages is not held:
 * SQLite's own waiting would stop it whole.
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
  private last: Promise<void> = Promise.resolve();

  constructor(file: string) {
    // Opened here and now: what is wrong with the file is the error of whoever opens the store.
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

  read = (query: CompiledQuery) => carriedOut(this.reader, query);
  write = (query: CompiledQuery) => carriedOut(this.writer, query);
  streamed = ({ sql, parameters }: CompiledQuery, { inside }: { inside: boolean }) =>
    (inside ? this.writer : this.reader).prepare(sql).iterate(parameters);

  /** The turn of whoever writes, with the result of `first`; who gets it ends it. Errors: `data_locked` after 5 s. */
  async inTurn<T>(first: () => T): Promise<{ result: T; end: () => void }> {
    // Counted from when another process was first met: waiting for our own writes is no sign of a lock that stays.
    let until: number | undefined;
    for (; ; await sleep(LOOK_EVERY_MS)) {
      const before = this.last;
      let end = () => {};
      this.last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
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
  /** Ends the turn of the transaction that is open. */
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

function carriedOut(db: Sqlite, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = db.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}
