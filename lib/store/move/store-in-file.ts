import { Kysely, SqliteDialect, sql } from 'kysely';
import { openSqlite } from '@/lib/store/engines/sqlite';
import type { Tables } from '@/lib/store/tables';

/** An embedded database that is nobody's yet: one that a backup is written to, or came from. */
export const openStoreFile = (file: string): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });

/** So that the file is all of it, with no others beside it once it is closed. */
export const makeOneFile = (db: Kysely<Tables>) => sql`pragma journal_mode = delete`.execute(db);
