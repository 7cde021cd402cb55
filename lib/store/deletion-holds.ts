import { sql } from 'kysely';
import { getStoredDeletion, type StoredDeletion } from './deletions';
import { dbOf, type Tx } from './open-store';

/** Keys that are set aside, half removed, being rebuilt, waiting for a review, or still have a copy to come back from. */
const holds = (now: number) => sql<boolean>`(deletion_counts.keys > 0 and (deletion_counts.returns = 1
  or deletion_counts.undo_until > ${now} or deletion_counts.state = 'draining'))`;

/** Deletions without which keys of this instance could not come back any more, newest first. */
export async function findOpenDeletions(
  instanceId: string,
  now: number,
  tx?: Tx,
): Promise<{ id: string; keys: number }[]> {
  const db = await dbOf(tx);
  const rows = await db
    .selectFrom('deletion_counts')
    .innerJoin('deletions', 'deletions.id', 'deletion_counts.deletion_id')
    .select(({ fn }) => ['deletions.id', fn.sum<number>('keys').as('keys')])
    .where('deletions.instance_id', '=', instanceId)
    .where(holds(now))
    .groupBy('deletions.id')
    .orderBy('deletions.created_at', 'desc')
    .execute();
  return rows.map(({ id, keys }) => ({ id, keys: Number(keys) }));
}

/** Of instances that are not registered any more. */
export async function findStrandedDeletions(now: number, tx?: Tx): Promise<StoredDeletion[]> {
  const db = await dbOf(tx);
  const rows = await db
    .selectFrom('deletion_counts')
    .innerJoin('deletions', 'deletions.id', 'deletion_counts.deletion_id')
    .select('deletions.id')
    .distinct()
    .where(holds(now))
    .where('deletions.instance_id', 'not in', db.selectFrom('instances').select('instances.id'))
    .execute();
  const found = await Promise.all(rows.map(({ id }) => getStoredDeletion(id, tx)));
  return found.filter((one) => one !== null);
}

/** Gives deletions to another instance: that of the same server, registered again. */
export async function moveDeletions(ids: readonly string[], to: { id: string; name: string }, tx: Tx): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('deletions')
    .set({
      instance_id: to.id,
      plan: sql<string>`json_set(plan, '$.instanceId', ${to.id}, '$.instanceName', ${to.name})`,
    })
    .where('id', 'in', [...ids])
    .execute();
}
