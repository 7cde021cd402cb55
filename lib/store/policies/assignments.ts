import { Assignment } from '@/lib/model/rules/policy';
import { dbOf, type Tx } from '@/lib/store/open-store';

/** The profile that an instance is checked against; null = the default. */
export async function getAssignmentRow(instanceId: string, tx?: Tx): Promise<Assignment | null> {
  const body = await bodyOf(instanceId, tx);
  return body === null ? null : Assignment.parse(body);
}

/** When it was saved, epoch ms; null = nobody has chosen a profile. */
export async function assignmentSavedAt(instanceId: string, tx?: Tx): Promise<number | null> {
  const body = await bodyOf(instanceId, tx);
  return body === null ? null : body.updatedAt;
}

async function bodyOf(instanceId: string, tx?: Tx): Promise<{ updatedAt: number } | null> {
  const db = await dbOf(tx);
  const row = await db
    .selectFrom('assignments')
    .select('body')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return row ? JSON.parse(row.body) : null;
}

export async function listAssignmentRows(tx?: Tx): Promise<{ instanceId: string; assignment: Assignment }[]> {
  const db = await dbOf(tx);
  const rows = await db.selectFrom('assignments').selectAll().execute();
  return rows.map((row) => ({ instanceId: row.instance_id, assignment: Assignment.parse(JSON.parse(row.body)) }));
}

export async function putAssignmentRow(
  instanceId: string,
  assignment: Assignment & { updatedAt?: number },
  tx?: Tx,
): Promise<void> {
  const db = await dbOf(tx);
  const body = JSON.stringify(assignment);
  await db
    .insertInto('assignments')
    .values({ instance_id: instanceId, body })
    .onConflict((c) => c.column('instance_id').doUpdateSet({ body }))
    .execute();
}
