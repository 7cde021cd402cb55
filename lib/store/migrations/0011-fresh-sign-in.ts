import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** When the password was last given in a session; of those that are there, that is not known: 0. */
export async function freshSignIn(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('confirmed_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
}
