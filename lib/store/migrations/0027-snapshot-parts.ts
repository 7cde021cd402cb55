import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/** Whether a snapshot holds a part of the keyspace on purpose: such a one never stands for its instance. */
export async function snapshotParts(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('snapshots').addColumn('is_part', 'integer').execute();
}
