import { Kysely, SqliteDialect, sql } from 'kysely';
import { openSqlite } from '@/lib/store/engines/sqlite';
import type { Store } from '@/lib/store/open-store';
import type { Tables } from '@/lib/store/tables';

/** Opens an embedded database that no server uses: one that a backup is written to or read from. */
export const openStoreFile = (file: string): Store =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });

/** Leaves WAL mode, so that the file is complete without other files next to it once it is closed. */
export const leaveWalMode = (db: Store) => sql`pragma journal_mode = delete`.execute(db);
