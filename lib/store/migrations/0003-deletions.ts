import type { Kysely } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/** Plans, their frozen items with a journal each, and the archive files that can bring items back. */
export async function deletions(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('deletions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('task', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('plan', 'text', (c) => c.notNull())
    .addColumn('job_id', 'text')
    .addColumn('action', 'text')
    .addColumn('points', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('undo_until', 'bigint')
    .execute();
  await db.schema.createIndex('deletions_by_instance').on('deletions').columns(['instance_id', 'created_at']).execute();
  await db.schema
    .createTable('deletion_items')
    .addColumn('deletion_id', 'text', (c) => c.notNull())
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('name', isPostgres(db) ? 'bytea' : 'blob', (c) => c.notNull())
    .addColumn('db', 'integer', (c) => c.notNull())
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('mode', 'text')
    .addColumn('type', 'text')
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('journal', 'text')
    .addColumn('reason', 'text')
    .addColumn('removed', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('archived', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('archive_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('undo_until', 'bigint')
    .addPrimaryKeyConstraint('deletion_items_key', ['deletion_id', 'seq'])
    .execute();
  await db.schema
    .createIndex('deletion_items_by_state')
    .on('deletion_items')
    .columns(['deletion_id', 'state', 'seq'])
    .execute();
}
