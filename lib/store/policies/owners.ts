import type { PrefixOwner } from '@/lib/model/rules/policy';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';

/** Owners of the instance and those of all instances; null = every owner. */
export async function listOwnerRows(instanceId: string | null, tx?: Tx): Promise<PrefixOwner[]> {
  const db = await getDb(tx);
  let query = db.selectFrom('owners').selectAll().orderBy('prefix').orderBy('id');
  if (instanceId !== null)
    query = query.where((on) => on.or([on('instance_id', '=', instanceId), on('instance_id', 'is', null)]));
  return (await query.execute()).map(fromColumns);
}

export async function getOwnerRow(id: string, tx?: Tx): Promise<PrefixOwner | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromColumns(row) : null;
}

export async function putOwnerRow(row: PrefixOwner, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const { id, ...values } = toColumns(row);
  await db
    .insertInto('owners')
    .values({ id, ...values })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
}

export async function deleteOwnerRow(id: string, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.deleteFrom('owners').where('id', '=', id).execute();
}
