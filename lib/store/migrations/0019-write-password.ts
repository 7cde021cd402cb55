import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** The password of the user that changes keys, sealed, where an instance has one of its own. */
export async function writePassword(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('write_password', 'text').execute();
}
