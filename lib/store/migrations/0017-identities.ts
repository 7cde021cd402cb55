import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** People who sign in with an identity provider, and attempts to that have not come back yet. */
export async function identities(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('users').addColumn('provider', 'text').execute();
  await db.schema.alterTable('users').addColumn('rights_until', 'bigint').execute();
  await db.schema.alterTable('sessions').addColumn('provider', 'text').execute();
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['issuer', 'subject'])
    .execute();
  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('state_hash', 'text', (c) => c.primaryKey())
    .addColumn('browser_hash', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('next', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}
