import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * Each look of the job loop asks for what ended jobs left: found by itself, however many have ended. And processes that
 * wait for work hear only of a job that came, or that nobody holds any more: nothing else is work for them. How many
 * objects a snapshot has in an object store says without asking for its list that nothing else lies there.
 */
export async function fewerQueries(db: Kysely<Tables>): Promise<void> {
  await sql`create index jobs_to_discard on jobs (discard_pending, kind) where discard_pending = 1`.execute(db);
  await db.schema.alterTable('snapshots').addColumn('stored_objects', 'bigint').execute();
  if (!isPostgres(db)) return;
  for (const text of [
    'drop trigger jobs_tell_state on jobs',
    `create trigger jobs_tell_state after update of state on jobs for each row
      when (old.state is distinct from new.state
        and new.state not in ('running', 'waiting', 'pausing', 'cancelling')) execute function jobs_tell()`,
  ])
    await sql.raw(text).execute(db);
}
