import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** Whether a database is PostgreSQL and not SQLite, for the few queries that differ. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const isPostgres = (db: Kysely<any>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Reads a number or plain word that is a direct field of a JSON text written by `JSON.stringify`; null = absent.
 * PostgreSQL's own JSON functions refuse every text with an escaped NUL, which names of keys may contain.
 */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export function jsonField<T>(db: Kysely<any>, column: string, field: string): RawBuilder<T | null> {
  if (!isPostgres(db)) return sql<T | null>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`;
  return sql<T | null>`substring(${sql.ref(column)} from ${sql.lit(`"${field}":"?([A-Za-z0-9.+{-]+)`)})`;
}

/** The same for a number, so that it compares as a number. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const jsonNumber = (db: Kysely<any>, column: string, field: string): RawBuilder<number | null> =>
  isPostgres(db)
    ? sql<number | null>`(${jsonField<string>(db, column, field)})::double precision`
    : jsonField<number>(db, column, field);
