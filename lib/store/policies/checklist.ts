import { ChecklistInput, type ChecklistItem } from '@/lib/model/rules/policy';
import { getDb, type Tx } from '@/lib/store/open-store';

/** Answers to the rules that only people can evaluate. */
export async function listChecklistRows(instanceId: string): Promise<ChecklistItem[]> {
  const db = await getDb(undefined);
  const rows = await db.selectFrom('checklist').selectAll().where('instance_id', '=', instanceId).execute();
  return rows.map((row) => ({
    ...(JSON.parse(row.body) as ChecklistInput),
    instanceId: row.instance_id,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  }));
}

export async function putChecklistRow(item: ChecklistItem, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const values = {
    body: JSON.stringify(ChecklistInput.parse(item)),
    updated_at: item.updatedAt,
    updated_by: item.updatedBy,
  };
  await db
    .insertInto('checklist')
    .values({ instance_id: item.instanceId, rule: item.rule, ...values })
    .onConflict((c) => c.columns(['instance_id', 'rule']).doUpdateSet(values))
    .execute();
}
