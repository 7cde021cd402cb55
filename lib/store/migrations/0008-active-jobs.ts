import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * One active job per instance and kind, also when two servers ask at once. SQLite has one writer, which asks first; its
 * files may be older than this rule.
 */
export async function activeJobs(db: Kysely<Tables>): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`create unique index jobs_active on jobs (instance_id, kind)
    where state in ('queued', 'running', 'waiting', 'pausing', 'cancelling')`.execute(db);
}
