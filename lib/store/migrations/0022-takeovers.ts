import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** How often a job was taken over without having come further since, as JSON. */
export async function takeovers(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('takeovers', 'text').execute();
}
