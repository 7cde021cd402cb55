import type { Kysely } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/** What instances are checked against, and what was found in their snapshots. */
export async function policies(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('profiles')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('assignments')
    .addColumn('instance_id', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('exemptions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('owners')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text')
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('team', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('checklist')
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('rule', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_by', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('checklist_key', ['instance_id', 'rule'])
    .execute();
  for (const [name, type] of [
    ['score', isPostgres(db) ? 'double precision' : 'real'],
    ['mandatory_keys', 'bigint'],
    ['recommended_keys', 'bigint'],
    ['advice_keys', 'bigint'],
    ['policy_hash', 'text'],
  ] as const)
    await db.schema.alterTable('snapshots').addColumn(name, type).execute();
}
