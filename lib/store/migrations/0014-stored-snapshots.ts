import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/**
 * Where an object store is used: when the snapshot was verified there, by the clock of the process that did (null: not
 * yet), the host that made it, and why the last attempt failed.
 */
export async function storedSnapshots(db: Kysely<Tables>): Promise<void> {
  for (const [name, type] of [
    ['stored_at', 'bigint'],
    ['held_by', 'text'],
    ['store_error', 'text'],
  ] as const)
    await db.schema.alterTable('snapshots').addColumn(name, type).execute();
}
