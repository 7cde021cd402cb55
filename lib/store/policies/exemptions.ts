import { type Exemption, ExemptionInput } from '@/lib/model/rules/policy';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { ExemptionsTable } from '@/lib/store/tables';

const fromRow = (row: ExemptionsTable): Exemption => ({
  ...ExemptionInput.parse(JSON.parse(row.body)),
  id: row.id,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

/** Exemptions of the instance and those of all instances; null = every exemption. */
export async function listExemptionRows(instanceId: string | null, tx?: Tx): Promise<Exemption[]> {
  const db = await getDb(tx);
  let query = db.selectFrom('exemptions').selectAll().orderBy('created_at').orderBy('id');
  if (instanceId !== null)
    query = query.where((on) => on.or([on('instance_id', '=', instanceId), on('instance_id', 'is', null)]));
  return (await query.execute()).map(fromRow);
}

export async function getExemptionRow(id: string, tx?: Tx): Promise<Exemption | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('exemptions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function putExemptionRow(row: Exemption, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const { id, createdAt, createdBy, ...input } = row;
  const body = JSON.stringify(ExemptionInput.parse(input));
  await db
    .insertInto('exemptions')
    .values({ id, instance_id: row.instanceId, body, created_at: createdAt, created_by: createdBy })
    .onConflict((c) => c.column('id').doUpdateSet({ instance_id: row.instanceId, body }))
    .execute();
}

export async function deleteExemptionRow(id: string, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.deleteFrom('exemptions').where('id', '=', id).execute();
}
