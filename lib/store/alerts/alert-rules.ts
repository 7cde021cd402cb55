import type { Selectable } from 'kysely';
import type { AlertRule, AlertRuleInput, Silence, SilenceInput } from '@/lib/model/alerts/alert';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { AlertRulesTable, SilencesTable } from '@/lib/store/tables/alert-tables';

const toRule = (row: Selectable<AlertRulesTable>): AlertRule => ({
  ...(JSON.parse(row.body) as AlertRuleInput),
  id: row.id,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

/** All rules, in the order in which they were made. */
export async function listAlertRuleRows(tx?: Tx): Promise<AlertRule[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('alert_rules').selectAll().orderBy('id').execute()).map(toRule);
}

export async function getAlertRuleRow(id: string, tx?: Tx): Promise<AlertRule | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRule(row) : null;
}

export async function putAlertRuleRow({ id, updatedAt, updatedBy, ...body }: AlertRule, tx: Tx): Promise<void> {
  const values = {
    instance_id: body.instanceId,
    body: JSON.stringify(body),
    updated_at: updatedAt,
    updated_by: updatedBy,
  };
  await tx
    .insertInto('alert_rules')
    .values({ id, ...values })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
}

export async function deleteAlertRuleRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('alert_rules').where('id', '=', id).execute();
}

const toSilence = (row: Selectable<SilencesTable>): Silence => ({
  ...(JSON.parse(row.body) as SilenceInput),
  id: row.id,
  author: row.author,
  createdAt: row.created_at,
  endsAt: row.ends_at,
});

/** Silences that have not ended at `now` (epoch ms). */
export async function listSilenceRows(now: number, tx?: Tx): Promise<Silence[]> {
  const db = await getDb(tx);
  const rows = db.selectFrom('silences').selectAll().where('ends_at', '>', now);
  return (await rows.orderBy('ends_at').orderBy('id').execute()).map(toSilence);
}

export async function getSilenceRow(id: string, tx?: Tx): Promise<Silence | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('silences').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toSilence(row) : null;
}

export async function insertSilenceRow({ id, author, createdAt, endsAt, ...body }: Silence, tx: Tx): Promise<void> {
  const row = { id, author, created_at: createdAt, ends_at: endsAt, instance_id: body.instanceId };
  await tx
    .insertInto('silences')
    .values({ ...row, body: JSON.stringify(body) })
    .execute();
}

/** Ends a silence now. */
export async function endSilenceRow(id: string, now: number, tx: Tx): Promise<void> {
  await tx.updateTable('silences').set({ ends_at: now }).where('id', '=', id).execute();
}
