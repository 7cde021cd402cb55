import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * The list of all jobs, newest first, is read off an index, however many have ended. And processes that wait for work
 * hear only of a job that can be taken: with several of them, each end of a job would wake all of them for nothing.
 */
export async function jobsByAge(db: Kysely<Tables>): Promise<void> {
  await db.schema.createIndex('jobs_by_age').on('jobs').columns(['created_at', 'id']).execute();
  if (!isPostgres(db)) return;
  for (const text of [
    'drop trigger jobs_tell_new on jobs',
    'drop trigger jobs_tell_state on jobs',
    `create trigger jobs_tell_new after insert on jobs for each row
      when (new.state = 'queued') execute function jobs_tell()`,
    `create trigger jobs_tell_state after update of state on jobs for each row
      when (old.state is distinct from new.state and new.state = 'queued') execute function jobs_tell()`,
  ])
    await sql.raw(text).execute(db);
}
