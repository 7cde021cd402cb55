import { type Selectable, sql } from 'kysely';
import type { AlertState, ShownAlert } from '@/lib/model/alerts/alert';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { AlertsTable } from '@/lib/store/tables/alert-tables';

export interface StoredAlert extends Omit<ShownAlert, 'silencedBy' | 'ruleTitle'> {
  /** Snapshots in a row that were bad, and good. */
  bad: number;
  good: number;
  queuedAt: number | null;
}

const fromRow = (row: Selectable<AlertsTable>): StoredAlert => ({
  ...fromColumns(row),
  facts: JSON.parse(row.facts),
});
const toRow = (alert: StoredAlert) => toColumns({ ...alert, facts: JSON.stringify(alert.facts) });

/** Pending and firing alerts of a rule on one instance; null = those of no instance, undefined = of all. */
export async function listOpenAlerts(ruleId: string, instanceId: string | null | undefined, tx: Tx) {
  let query = tx
    .selectFrom('alerts')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('state', 'in', ['pending', 'firing']);
  if (instanceId !== undefined) query = query.where('instance_id', 'is not distinct from', instanceId);
  return (await query.orderBy('id').execute()).map(fromRow);
}

/** Firing alerts that nobody has acknowledged and that no message contains, or none since `before` (epoch ms). */
export async function listAlertsToQueue(before: number, tx?: Tx): Promise<StoredAlert[]> {
  const db = await getDb(tx);
  const rows = db
    .selectFrom('alerts')
    .selectAll()
    .where('state', '=', 'firing')
    .where('acknowledged_at', 'is', null)
    .where(({ or, eb }) => or([eb('queued_at', 'is', null), eb('queued_at', '<=', before)]));
  return (await rows.orderBy('id').execute()).map(fromRow);
}

/** All firing alerts. */
export async function listFiringAlerts(tx?: Tx): Promise<StoredAlert[]> {
  const db = await getDb(tx);
  const rows = db.selectFrom('alerts').selectAll().where('state', '=', 'firing');
  return (await rows.orderBy('id').execute()).map(fromRow);
}

export async function getAlertRow(id: string, tx?: Tx): Promise<StoredAlert | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function insertAlertRow(alert: StoredAlert, tx: Tx): Promise<void> {
  await tx.insertInto('alerts').values(toRow(alert)).execute();
}

export async function updateAlertRow({ id, ...rest }: StoredAlert, tx: Tx): Promise<void> {
  await tx
    .updateTable('alerts')
    .set(toRow({ id, ...rest }))
    .where('id', '=', id)
    .execute();
}

export async function deleteAlertRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('alerts').where('id', '=', id).execute();
}

/** Marks that a message contains the alerts, at `now` (epoch ms). */
export async function markQueued(ids: readonly string[], now: number, tx: Tx): Promise<void> {
  for (let from = 0; from < ids.length; from += 500)
    await tx
      .updateTable('alerts')
      .set({ queued_at: now })
      .where('id', 'in', ids.slice(from, from + 500))
      .execute();
}

export interface AlertsFilter {
  /** undefined = of all instances and of none. */
  instanceIds: readonly string[] | undefined;
  states: readonly AlertState[];
  /** The cursor of the page before. */
  after: { since: number; id: string } | null;
  limit: number;
}

/** One page of alerts, newest first. */
export async function listAlertRows({ instanceIds, states, after, limit }: AlertsFilter): Promise<StoredAlert[]> {
  if (instanceIds?.length === 0) return [];
  let query = (await getDb(undefined))
    .selectFrom('alerts')
    .selectAll()
    .where('state', 'in', [...states]);
  if (instanceIds !== undefined) query = query.where('instance_id', 'in', [...instanceIds]);
  if (after !== null) query = query.where(sql<boolean>`(since, id) < (${after.since}, ${after.id})`);
  return (await query.orderBy('since', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(fromRow);
}

/** Number of alerts per state and severity. */
export async function countAlerts(instanceIds: readonly string[] | undefined) {
  if (instanceIds?.length === 0) return [];
  let query = (await getDb(undefined))
    .selectFrom('alerts')
    .select(['state', 'severity', ({ fn }) => fn.countAll<number>().as('alerts')])
    .where('state', 'in', ['pending', 'firing']);
  if (instanceIds !== undefined) query = query.where('instance_id', 'in', [...instanceIds]);
  const rows = await query.groupBy(['state', 'severity']).execute();
  return rows.map((row) => ({ ...row, alerts: Number(row.alerts) }));
}

/** Deletes alerts that were resolved before a time (epoch ms). */
export async function deleteResolvedBefore(before: number, tx: Tx): Promise<void> {
  // An alert begins before it is resolved, so the index of `since` limits the search.
  const old = tx.deleteFrom('alerts').where('state', '=', 'resolved').where('since', '<', before);
  await old.where('resolved_at', '<', before).execute();
}

/** Deletes what concerns only an instance that is removed. */
export async function forgetInstanceAlerts(instanceId: string, tx: Tx): Promise<void> {
  for (const table of ['alerts', 'alert_rules', 'silences'] as const)
    await tx.deleteFrom(table).where('instance_id', '=', instanceId).execute();
}
