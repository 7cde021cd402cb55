import { Kysely, PostgresDialect, sql } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { openPostgres } from '@/lib/store/engines/postgres';
import type { PostgresAddress } from '@/lib/store/engines/postgres-url';
import { lockMigrations, migrateWithin } from '@/lib/store/migrate';
import type { Store, Tx } from '@/lib/store/open-store';
import { getSetting } from '@/lib/store/settings/settings';
import type { Tables } from '@/lib/store/tables';
import { COPIED_TABLES } from './copied-tables';

/** Setting with the id of the move that filled this database. */
export const MOVED_FROM = 'moved_from';

/** Opens the target without time limits on queries, because a move takes longer with more rows. */
export const openMoveTarget = (address: PostgresAddress): Store =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPostgres(address, () => undefined) }) });

/** The id of the move that filled the database; null = none. Waits for a move that is still running. */
export async function findFillingMove(tx: Tx): Promise<string | null> {
  await lockMigrations(tx);
  const { rows } = await sql<{ there: boolean }>`select to_regclass('settings') is not null as there`.execute(tx);
  return rows[0]?.there ? getSetting(MOVED_FROM, tx) : null;
}

/**
 * Creates or migrates the tables and refuses a database that has any data. It runs within the transaction, so a refused
 * database stays unchanged.
 */
export async function prepareTarget({ display, schema }: PostgresAddress, tx: Tx): Promise<void> {
  const foreign = await findForeignTables(tx);
  const elsewhere =
    'Name another one in COLONNADE_DATABASE_URL (createdb), or a schema of its own there: ?schema=colonnade';
  if (foreign.length > 0)
    throw new AppError(
      'database_refused',
      `The database ${display} holds tables of another program (${foreign.join(', ')}). ${elsewhere}`,
      { database: display, cause: 'tables' },
    );
  await migrateWithin(tx, schema);
  const filled: string[] = [];
  for (const table of COPIED_TABLES) {
    const row = await tx.selectFrom(table).select(sql`1`.as('one')).limit(1).executeTakeFirst();
    if (row) filled.push(table);
  }
  if (filled.length > 0)
    throw new AppError(
      'database_refused',
      `The database ${display} is not empty (rows in ${filled.join(', ')}), and existing data is never mixed. ${elsewhere}`,
      { database: display, cause: 'not empty' },
    );
}

/** Tables with names that Colonnade uses, in a database that is not a store of Colonnade. */
async function findForeignTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(tx);
  const there = new Set(rows.map(({ name }) => name));
  const isKnown = ['migrations', 'audit', 'settings', 'jobs'].every((name) => there.has(name));
  return isKnown ? [] : [...COPIED_TABLES, 'migrations'].filter((name) => there.has(name));
}
