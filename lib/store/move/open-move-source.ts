import { existsSync } from 'node:fs';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { openSqlite } from '@/lib/store/engines/sqlite';
import { getStoreFile, type Store } from '@/lib/store/open-store';
import type { Tables } from '@/lib/store/tables';

/**
 * Opens the embedded database exclusively. Leaving WAL mode requires that no other process has the file open, not even
 * an idle one, and the lock is then held until the database is closed.
 */
export async function openMoveSource(): Promise<Store> {
  const file = getStoreFile();
  if (!existsSync(file))
    throw new AppError(
      'not_found',
      `There is no database ${file}. Set COLONNADE_DATA to the data folder of the server.`,
    );
  const source = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  try {
    await sql`pragma journal_mode = delete`.execute(source);
    await sql`pragma locking_mode = exclusive`.execute(source);
    await sql`begin exclusive`.execute(source);
    await sql`commit`.execute(source);
    return source;
  } catch (error) {
    await source.destroy();
    if (!(error instanceof AppError) || error.code !== 'data_locked') throw error;
    throw new AppError(
      'data_locked',
      `${file} is in use by another process. Stop the server of this data folder (SIGTERM) and other commands on it, and try again.`,
      error.details,
      { cause: error },
    );
  }
}
