import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** The server that a deletion was last seen to work on. */
export async function deletionServers(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('deletions').addColumn('server', 'text').execute();
}
