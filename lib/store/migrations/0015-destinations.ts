import type { Kysely } from 'kysely';
import { NOT_ADOPTED } from '../destinations-to-adopt';
import type { Tables } from '../tables';

/**
 * The addresses that somebody has confirmed, per instance. Instances that are there already keep the nodes that their
 * newest scan has read: which those are stands in files, so it is looked up at the next start.
 */
export async function destinations(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('instance_destinations')
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('confirmed_by', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('instance_destinations_key', ['instance_id', 'address'])
    .execute();
  const before = await db.selectFrom('instances').select('id').execute();
  if (before.length === 0) return;
  const value = JSON.stringify(before.map(({ id }) => id));
  await db.insertInto('settings').values({ name: NOT_ADOPTED, value }).execute();
}
