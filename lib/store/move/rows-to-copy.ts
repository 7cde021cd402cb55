import { sql, type Transaction } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '@/lib/store/tables';
import type { CopiedTable } from './tables-in-order';

type Row = Record<string, unknown>;
const FETCHED = 500;
const CURSOR = sql.id('colonnade_rows');

/** One after the other, without holding a whole table in memory. PostgreSQL hands them out through a cursor. */
export async function* rowsToCopy(table: CopiedTable, source: Transaction<Tables>): AsyncGenerator<Row> {
  if (!isPostgres(source)) {
    yield* source.selectFrom(table).selectAll().stream();
    return;
  }
  await sql`declare ${CURSOR} no scroll cursor for select * from ${sql.table(table)}`.execute(source);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(FETCHED)} from ${CURSOR}`.execute(source);
    yield* rows;
    if (rows.length < FETCHED) break;
  }
  await sql`close ${CURSOR}`.execute(source);
}
