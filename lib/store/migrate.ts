import { type Kysely, sql } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { removeOldCopies, removeQuietly } from './engines/copy-before-migration';
import { isPostgres } from './engines/dialect';
import { LOCK_MS } from './engines/postgres';
import { copyOfFile, copyOfPostgres } from './keep-copy';
import { firstTables } from './migrations/0001-first-tables';
import { policies } from './migrations/0002-policies';
import { deletions } from './migrations/0003-deletions';
import { deletionCounts } from './migrations/0004-deletion-counts';
import { deletionServers } from './migrations/0005-deletion-servers';
import { countsInBulk } from './migrations/0006-counts-in-bulk';
import { accounts } from './migrations/0007-accounts';
import { activeJobs } from './migrations/0008-active-jobs';
import { workers } from './migrations/0009-workers';
import { apiTokens } from './migrations/0010-api-tokens';
import { freshSignIn } from './migrations/0011-fresh-sign-in';
import { approvals } from './migrations/0012-approvals';
import { auditWho } from './migrations/0013-audit-who';
import { storedSnapshots } from './migrations/0014-stored-snapshots';
import { destinations } from './migrations/0015-destinations';
import { savedViews } from './migrations/0016-saved-views';
import { identities } from './migrations/0017-identities';
import { teams } from './migrations/0018-teams';
import { writePassword } from './migrations/0019-write-password';
import { ownerTeams } from './migrations/0020-owner-teams';
import { fewerQueries } from './migrations/0021-fewer-queries';
import { takeovers } from './migrations/0022-takeovers';
import { jobsByAge } from './migrations/0023-jobs-by-age';
import { alsoUnlabeled } from './migrations/0024-also-unlabeled';
import { instanceNodes } from './migrations/0025-instance-nodes';
import { jobPurposes } from './migrations/0026-job-purposes';
import { snapshotParts } from './migrations/0027-snapshot-parts';
import { moveMarkIn, refuseMoved } from './move-mark';
import type { Tables } from './tables';

/** So long a start waits for another one that migrates. */
const MIGRATION_MS = 15 * 60_000;

/**
 * In order, for ever: a step that was released is never changed, only followed by another. It adds and takes nothing
 * away, because processes of the version before go on with its tables: what they read goes one version later.
 */
const STEPS: { name: string; up: (db: Kysely<Tables>) => Promise<void> }[] = [
  { name: '0001-first-tables', up: firstTables },
  { name: '0002-policies', up: policies },
  { name: '0003-deletions', up: deletions },
  { name: '0004-deletion-counts', up: deletionCounts },
  { name: '0005-deletion-servers', up: deletionServers },
  { name: '0006-counts-in-bulk', up: countsInBulk },
  { name: '0007-accounts', up: accounts },
  { name: '0008-active-jobs', up: activeJobs },
  { name: '0009-workers', up: workers },
  { name: '0010-api-tokens', up: apiTokens },
  { name: '0011-fresh-sign-in', up: freshSignIn },
  { name: '0012-approvals', up: approvals },
  { name: '0013-audit-who', up: auditWho },
  { name: '0014-stored-snapshots', up: storedSnapshots },
  { name: '0015-destinations', up: destinations },
  { name: '0016-saved-views', up: savedViews },
  { name: '0017-identities', up: identities },
  { name: '0018-teams', up: teams },
  { name: '0019-write-password', up: writePassword },
  { name: '0020-owner-teams', up: ownerTeams },
  { name: '0021-fewer-queries', up: fewerQueries },
  { name: '0022-takeovers', up: takeovers },
  { name: '0023-jobs-by-age', up: jobsByAge },
  { name: '0024-also-unlabeled', up: alsoUnlabeled },
  { name: '0025-instance-nodes', up: instanceNodes },
  { name: '0026-job-purposes', up: jobPurposes },
  { name: '0027-snapshot-parts', up: snapshotParts },
];

export const knownMigrations = (): string[] => STEPS.map(({ name }) => name);

/**
 * One transaction for all: two processes that start together see either nothing or everything. On PostgreSQL they wait
 * for each other at a lock that is there before any table. Of a database that holds something a copy is kept; of a
 * migration that failed none, or a start that is tried again and again would replace the older ones.
 */
export async function migrate(db: Kysely<Tables>, schema: string | null = null): Promise<void> {
  const copies: string[] = [];
  try {
    await db.transaction().execute((tx) => migrateWithin(tx, schema, { db, onCopy: (file) => copies.push(file) }));
  } catch (error) {
    for (const file of copies) removeQuietly(file);
    throw error;
  }
  for (const file of copies) removeOldCopies(file);
}

/**
 * The same as a part of a longer transaction. `onCopy`: gets the copy that was kept, before the first step. `db`: where
 * the copy of a PostgreSQL is read, without it none is kept. `last`: no step after this one, as an older version left
 * it.
 */
export async function migrateWithin(
  tx: Kysely<Tables>,
  schema: string | null,
  options: { onCopy?: (file: string) => void; db?: Kysely<Tables>; last?: string } = {},
): Promise<void> {
  const { onCopy, db, last } = options;
  if (isPostgres(tx)) await preparePostgres(tx, schema);
  await tx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  const done = new Set((await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name));
  const moved = moveMarkIn(done);
  if (moved) refuseMoved(moved);
  const unknown = [...done].find((name) => !STEPS.some((step) => step.name === name));
  if (unknown)
    throw new AppError('data_folder', `The store was written by a newer version (${unknown}). Update this program.`, {
      cause: unknown,
    });
  const due = STEPS.filter((step) => !done.has(step.name) && (last === undefined || step.name <= last));
  const [from, to] = [[...done].toSorted().at(-1), due.at(-1)?.name];
  const copy = from && to ? await keepCopy(tx, db, { from, to }) : null;
  if (copy !== null) onCopy?.(copy);
  for (const step of due) {
    await step.up(tx);
    if (isPostgres(tx)) await orderByBytes(tx);
    await tx.insertInto('migrations').values({ name: step.name, at: Date.now() }).execute();
  }
}

async function keepCopy(tx: Kysely<Tables>, db: Kysely<Tables> | undefined, steps: { from: string; to: string }) {
  if (!isPostgres(tx)) return copyOfFile(tx, steps);
  if (db === undefined) return null;
  const makeTables = (target: Kysely<Tables>) =>
    target.transaction().execute((within) => migrateWithin(within, null, { last: steps.from }));
  return copyOfPostgres(db, tx, steps, makeTables);
}

async function preparePostgres(tx: Kysely<Tables>, schema: string | null): Promise<void> {
  await lockMigrations(tx);
  if (schema !== null) {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(tx);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(tx);
  }
}

/**
 * Held to the end of the transaction; whoever starts meanwhile waits, longer than for any row: a copy and a migration
 * take as long as there are rows.
 */
export async function lockMigrations(tx: Kysely<Tables>): Promise<void> {
  const limitWait = (ms: number) => sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(tx);
  await limitWait(MIGRATION_MS);
  await sql`select pg_advisory_xact_lock(hashtext('colonnade migrations'))`.execute(tx);
  await limitWait(LOCK_MS);
}

/** Ids, names and prefixes sort by their bytes, as in SQLite; by a language `a:b` would come before `a.b`. */
async function orderByBytes(tx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, json_agg(column_name) as columns from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
    group by table_name`.execute(tx);
  for (const { table, columns } of rows) {
    const changes = columns.map((name) => sql`alter column ${sql.id(name)} type text collate "C"`);
    await sql`alter table ${sql.id(table)} ${sql.join(changes)}`.execute(tx);
  }
}
