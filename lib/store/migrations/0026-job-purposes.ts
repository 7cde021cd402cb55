import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** What a job of a kind that does several things is for. */
export async function jobPurposes(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('purpose', 'text').execute();
}
