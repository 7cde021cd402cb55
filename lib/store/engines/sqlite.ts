import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { isDiskFull } from '@/lib/runtime/files/is-disk-full';
import { makeFolder } from '@/lib/runtime/files/make-folder';
import { noteRefusedWrite, noteWrite } from './read-only';

/** Turns an error of the file into one that says what to do. */
function translate(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const details = { folder: dirname(file) };
  if (isDiskFull(error))
    return new AppError(
      'disk_full',
      `The disk of the data folder ${details.folder} is full. Free space and try again.`,
      details,
    );
  if (
    /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_IOERR|EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|EISDIR)/.test(
      code,
    )
  )
    return new AppError(
      'data_folder',
      `The data folder ${details.folder} cannot be written (${code}). Give this user read and write permission for it, or set COLONNADE_DATA to another folder.`,
      { ...details, cause: code },
      { cause: error },
    );
  // Another process of Colonnade holds the write lock beyond the time limit, probably because it is suspended.
  if (code.startsWith('SQLITE_BUSY'))
    return new AppError(
      'data_locked',
      `Another process holds the write lock of ${file}. Resume or end the suspended Colonnade process of this data folder, and try again.`,
      details,
    );
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new AppError('data_folder', `${file} is damaged (${code}). Restore it from a backup.`, {
      ...details,
      cause: code,
    });
  return error;
}

/**
 * Translates the refusal of a write by the disk while the database is open: full, read-only, permissions, an I/O error.
 * If the file was moved away (`DBMOVED`), what can still be read is no longer valid, so that is another error.
 */
function translateWrite(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isRefused = /^SQLITE_(FULL|READONLY|IOERR|PERM|CANTOPEN)/.test(code) && code !== 'SQLITE_READONLY_DBMOVED';
  if (!isRefused) return translate(error, file);
  noteRefusedWrite(file, code);
  const folder = dirname(file);
  const why = code === 'SQLITE_FULL' ? 'its disk is full' : `its disk or its permissions refuse it (${code})`;
  return new AppError(
    'store_read_only',
    `The control database in ${folder} cannot be written: ${why}. Nothing was changed, and reading goes on. Free space or make the folder writable; no restart is needed.`,
    { folder, cause: code },
    { cause: error },
  );
}

const BRAND = Symbol.for('colonnade.ManyRows');

/**
 * Pass it as the only parameter of a write: the statement runs once for each row, without leaving the event loop in
 * between.
 */
export class ManyRows {
  readonly [BRAND] = true;
  constructor(readonly rows: readonly (readonly unknown[])[]) {}

  /** Routes and engine are compiled separately and share one open database, so each has its own copy of this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** 4 MiB per connection. The default fills 16 MiB with pages that the operating system caches anyway. */
const PAGE_CACHE = 'cache_size = -4096';

/**
 * Number of statements that stay prepared: preparing one costs several times as much as a small write. Statements with
 * more characters than LONGEST_KEPT are not kept, because they occur once.
 */
const MAX_KEPT = 200;
const LONGEST_KEPT = 4000;

/** Returns a function that runs `act` and translates its error. */
const createGuard =
  (file: string) =>
  <T>(act: () => T, toError = translate): T => {
    try {
      return act();
    } catch (error) {
      throw toError(error, file);
    }
  };

/**
 * Opens the file (0600, folder 0700) as a database for kysely, with translated errors; `begin` takes the write lock at
 * once. `waits` = whether to block this thread up to five seconds for the lock of another process; if false,
 * `data_locked` is thrown at once, for callers that wait in another way.
 */
export function openSqlite(file: string, { waits = true } = {}): SqliteDatabase {
  const guarded = createGuard(file);
  const db = guarded(() => {
    makeFolder(dirname(file));
    // Created before SQLite opens it, because -wal and -shm take the mode of this file.
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    const opened = new Database(file, { timeout: 5000 });
    opened.pragma('journal_mode = WAL');
    opened.pragma('synchronous = FULL');
    opened.pragma('foreign_keys = ON');
    // 16 MiB, four times the default: pages that many transactions change are written to the database once, with one
    // sync.
    opened.pragma('wal_autocheckpoint = 4000');
    opened.pragma(PAGE_CACHE);
    // Set only now, because opening may meet another process that opens the file.
    if (!waits) opened.pragma('busy_timeout = 0');
    return opened;
  });
  return asDatabase(db, file);
}

/** A second connection next to the one that writes, only for reading. */
export function openSqliteReader(file: string): SqliteDatabase {
  const db = createGuard(file)(() => {
    const opened = new Database(file, { timeout: 5000, fileMustExist: true });
    opened.pragma('query_only = ON');
    opened.pragma(PAGE_CACHE);
    return opened;
  });
  return asDatabase(db, file);
}

function asDatabase(db: Database.Database, file: string): SqliteDatabase {
  const guarded = createGuard(file);
  const prepared = new Map<string, SqliteStatement>();
  /** Whether the open transaction has changes that its commit will write. */
  let isDirty = false;
  const noteChange = (hasChanged: boolean) => {
    if (hasChanged && db.inTransaction) isDirty = true;
    else if (hasChanged) noteWrite(file);
  };
  return {
    close: () => void db.close(),
    prepare(sql): SqliteStatement {
      const known = prepared.get(sql);
      if (known) return known;
      // Plain `begin` takes the write lock late and then fails with SQLITE_BUSY if another process wrote in the
      // meantime.
      const statement = guarded(() => db.prepare(sql === 'begin' ? 'begin immediate' : sql));
      const toError = statement.readonly && sql !== 'commit' ? translate : translateWrite;
      const run = (parameters: readonly unknown[]) => {
        let result = { changes: 0, lastInsertRowid: 0 } as ReturnType<typeof statement.run>;
        // After a refusal by the disk SQLite has already ended the transaction. An error of a second rollback would
        // hide the cause.
        if (sql === 'rollback' && !db.inTransaction) return result;
        const [rows] = parameters;
        if (!(rows instanceof ManyRows)) return statement.run(parameters);
        for (const row of rows.rows) result = statement.run(row);
        return result;
      };
      const guardedStatement: SqliteStatement = {
        reader: statement.reader,
        all: (parameters) => {
          const rows = guarded(() => statement.all(parameters), toError);
          noteChange(!statement.readonly && rows.length > 0);
          return rows;
        },
        run: (parameters) => {
          const result = guarded(() => run(parameters), toError);
          if (sql === 'begin' || sql === 'rollback') isDirty = false;
          else noteChange(sql === 'commit' ? isDirty : !statement.readonly && result.changes > 0);
          return result;
        },
        iterate: (parameters) => statement.iterate(parameters),
      };
      if (sql.length <= LONGEST_KEPT) {
        if (prepared.size >= MAX_KEPT) prepared.delete(prepared.keys().next().value ?? '');
        prepared.set(sql, guardedStatement);
      }
      return guardedStatement;
    },
  };
}
