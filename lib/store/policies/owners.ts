import type { PrefixOwner } from '@/lib/model/rules/policy';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { OwnersTable } from '@/lib/store/tables';

const fromRow = (row: OwnersTable): PrefixOwner => ({
  id: row.id,
  instanceId: row.instance_id,
  prefix: row.prefix,
  team: row.team,
});

/** Owners of the instance and those of all instances; null = every owner. */
export async function listOwnerRows(instanceId: string | null, tx?: Tx): Promise<PrefixOwner[]> {
  const db = await getDb(tx);
  let query = db.selectFrom('owners').selectAll().orderBy('prefix').orderBy('id');
  if (instanceId !== null)
    query = query.where((on) => on.or([on('instance_id', '=', instanceId), on('instance_id', 'is', null)]));
  return (await query.execute()).map(fromRow);
}

export async function getOwnerRow(id: string, tx?: Tx): Promise<PrefixOwner | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function putOwnerRow(row: PrefixOwner, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const values = { instance_id: row.instanceId, prefix: row.prefix, team: row.team };
  await db
    .insertInto('owners')
    .values({ id: row.id, ...values })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
}

export async function deleteOwnerRow(id: string, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.deleteFrom('owners').where('id', '=', id).execute();
}
