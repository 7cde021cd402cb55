import { type Kysely, sql } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { isPostgres } from './engines/dialect';
import { orderByBytes } from './engines/order-by-bytes';
import { LOCK_MS } from './engines/postgres';
import { createTables } from './migrations/0001-tables';
import { findMoveMark, refuseMoved } from './move-mark';
import type { Tables } from './tables';

/** How long a start waits, in ms, for another process that migrates or moves the database. */
const MIGRATION_MS = 15 * 60_000;

/** In this order. A released step is never changed; a new one is added after it. */
const STEPS: { name: string; up: (db: Kysely<Tables>) => Promise<void> }[] = [
  { name: '0001-tables', up: createTables },
];

export const listKnownMigrations = (): string[] => STEPS.map(({ name }) => name);

/**
 * All steps run in one transaction, so two processes that start together see either nothing or everything. On
 * PostgreSQL they wait for each other at a lock that exists before any table.
 */
export const migrate = (db: Kysely<Tables>, schema: string | null = null): Promise<void> =>
  db.transaction().execute((tx) => migrateWithin(tx, schema));

/** The same as part of a longer transaction. */
export async function migrateWithin(tx: Kysely<Tables>, schema: string | null): Promise<void> {
  if (isPostgres(tx)) await preparePostgres(tx, schema);
  await tx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  const done = new Set((await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name));
  const moved = findMoveMark(done);
  if (moved) refuseMoved(moved);
  const unknown = [...done].find((name) => !STEPS.some((step) => step.name === name));
  if (unknown)
    throw new AppError(
      'data_folder',
      `The store was written by another version of Colonnade (${unknown}): start that version, or name an empty data folder (COLONNADE_DATA) or an empty database (COLONNADE_DATABASE_URL).`,
      { cause: unknown },
    );
  for (const step of STEPS.filter(({ name }) => !done.has(name))) {
    await step.up(tx);
    if (isPostgres(tx)) await orderByBytes(tx);
    await tx.insertInto('migrations').values({ name: step.name, at: Date.now() }).execute();
  }
}

async function preparePostgres(tx: Kysely<Tables>, schema: string | null): Promise<void> {
  await lockMigrations(tx);
  if (schema !== null) {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(tx);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(tx);
  }
}

/**
 * Takes the lock until the end of the transaction. Other processes that start meanwhile wait for it, longer than for a
 * row, because a move takes longer with more rows.
 */
export async function lockMigrations(tx: Kysely<Tables>): Promise<void> {
  const limitWait = (ms: number) => sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(tx);
  await limitWait(MIGRATION_MS);
  await sql`select pg_advisory_xact_lock(hashtext('colonnade migrations'))`.execute(tx);
  await limitWait(LOCK_MS);
}
