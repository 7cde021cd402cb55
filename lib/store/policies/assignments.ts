import { Assignment } from '@/lib/model/rules/policy';
import { getDb, type Tx } from '@/lib/store/open-store';

/** The profile that an instance is checked against; null = the default. */
export async function getAssignmentRow(instanceId: string): Promise<Assignment | null> {
  const body = await readBody(instanceId);
  return body === null ? null : Assignment.parse(body);
}

/** When it was saved, epoch ms; null = nobody has chosen a profile. */
export async function getAssignmentSavedAt(instanceId: string, tx?: Tx): Promise<number | null> {
  return (await readBody(instanceId, tx))?.updatedAt ?? null;
}

async function readBody(instanceId: string, tx?: Tx): Promise<{ updatedAt: number } | null> {
  const db = await getDb(tx);
  const row = await db
    .selectFrom('assignments')
    .select('body')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return row ? JSON.parse(row.body) : null;
}

export async function listAssignmentRows(tx?: Tx): Promise<{ instanceId: string; assignment: Assignment }[]> {
  const db = await getDb(tx);
  const rows = await db.selectFrom('assignments').selectAll().execute();
  return rows.map((row) => ({ instanceId: row.instance_id, assignment: Assignment.parse(JSON.parse(row.body)) }));
}

export async function putAssignmentRow(
  instanceId: string,
  assignment: Assignment & { updatedAt?: number },
  tx?: Tx,
): Promise<void> {
  const db = await getDb(tx);
  const body = JSON.stringify(assignment);
  await db
    .insertInto('assignments')
    .values({ instance_id: instanceId, body })
    .onConflict((c) => c.column('instance_id').doUpdateSet({ body }))
    .execute();
}
