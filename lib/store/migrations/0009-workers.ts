import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * Where several processes share the store: who is there, by the clock of the database, and a word to all of them when
 * a job changes its state. SQLite is for one process, which knows both.
 */
export async function workers(db: Kysely<Tables>): Promise<void> {
  if (!isPostgres(db)) return;
  await db.schema
    .createTable('workers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('pid', 'integer', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('labels', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('jobs', 'integer', (c) => c.notNull())
    .addColumn('running', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute();
  for (const text of [
    `create function jobs_tell() returns trigger language plpgsql as
      $$ begin perform pg_notify('colonnade_jobs', tg_table_schema); return null; end $$`,
    'create trigger jobs_tell_new after insert on jobs for each row execute function jobs_tell()',
    `create trigger jobs_tell_state after update of state on jobs for each row
      when (old.state is distinct from new.state) execute function jobs_tell()`,
  ])
    await sql.raw(text).execute(db);
}
