import { getDb, type Tx } from './open-store';
import type { SavedViewsTable } from './tables';

/** Views of an instance, sorted by name. */
export async function listViewRows(instanceId: string, tx?: Tx): Promise<SavedViewsTable[]> {
  const db = await getDb(tx);
  const rows = db.selectFrom('saved_views').selectAll().where('instance_id', '=', instanceId);
  return rows.orderBy('name').orderBy('id').execute();
}

export async function getViewRow(id: string, tx?: Tx): Promise<SavedViewsTable | null> {
  const db = await getDb(tx);
  return (await db.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function insertViewRow(row: SavedViewsTable, tx: Tx): Promise<void> {
  await tx.insertInto('saved_views').values(row).execute();
}

export async function updateViewRow(
  id: string,
  change: Pick<SavedViewsTable, 'name' | 'shared' | 'body'>,
  tx: Tx,
): Promise<void> {
  await tx.updateTable('saved_views').set(change).where('id', '=', id).execute();
}

export async function deleteViewRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('saved_views').where('id', '=', id).execute();
}
