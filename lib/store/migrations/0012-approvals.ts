import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** Who asked for a second person, and what that one said; of the plan of the row. */
export async function approvals(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('deletions').addColumn('approval', 'text').execute();
}
