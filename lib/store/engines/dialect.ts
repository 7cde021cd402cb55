import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** One query code base; where the two databases speak differently, this tells which one answers. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const isPostgres = (db: Kysely<any>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * A number or plain word that stands directly in a JSON text as `JSON.stringify` writes it; null when it is not there.
 * PostgreSQL's own functions refuse every text with an escaped NUL in it, which names of keys may hold.
 */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export function jsonField<T>(db: Kysely<any>, column: string, field: string): RawBuilder<T | null> {
  if (!isPostgres(db)) return sql<T | null>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`;
  return sql<T | null>`substring(${sql.ref(column)} from ${sql.lit(`"${field}":"?([A-Za-z0-9.+{-]+)`)})`;
}

/** The same of a number, to be compared as one. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const jsonNumber = (db: Kysely<any>, column: string, field: string): RawBuilder<number | null> =>
  isPostgres(db)
    ? sql<number | null>`(${jsonField<string>(db, column, field)})::double precision`
    : jsonField<number>(db, column, field);
