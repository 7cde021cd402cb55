/** The outbox of messages, and the log of those that were sent. */

import type { Selectable } from 'kysely';
import type { AlertFacts, Delivery } from '@/lib/model/alerts/alert';
import type { AlertKind, Metric, Severity } from '@/lib/model/alerts/vocabulary';
import { fromColumns, toColumns } from '@/lib/store/columns';
import { getDb, runTransaction, type Tx } from '@/lib/store/open-store';
import type { DeliveriesTable } from '@/lib/store/tables/alert-tables';

/** What a message says of one alert, without words. */
export interface DeliveryItem {
  alertId: string;
  fingerprint: string;
  isResolved: boolean;
  kind: AlertKind;
  metric: Metric | null;
  severity: Severity;
  ruleName: string;
  instanceId: string | null;
  instanceName: string | null;
  subject: string;
  team: string | null;
  facts: AlertFacts;
  firedAt: number;
  resolvedAt: number | null;
}

export interface StoredDelivery extends Omit<Delivery, 'items' | 'channelName'> {
  items: DeliveryItem[];
  leasedUntil: number;
  triedAt: number | null;
}

const fromRow = ({ item_count: _, ...row }: Selectable<DeliveriesTable>): StoredDelivery => ({
  ...fromColumns(row),
  items: JSON.parse(row.items),
});
const toRow = ({ items, ...rest }: StoredDelivery) => ({
  ...toColumns(rest),
  items: JSON.stringify(items),
  item_count: items.length,
});

export async function insertDelivery(delivery: StoredDelivery, tx: Tx): Promise<void> {
  await tx.insertInto('deliveries').values(toRow(delivery)).execute();
}

/** Patches a delivery; returns false if it is not there any more. */
export async function updateDelivery(
  id: string,
  { items, ...patch }: Partial<Omit<StoredDelivery, 'id'>>,
  tx?: Tx,
): Promise<boolean> {
  const db = await getDb(tx);
  const values = { ...toColumns(patch), ...(items && { items: JSON.stringify(items), item_count: items.length }) };
  const done = await db.updateTable('deliveries').set(values).where('id', '=', id).executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function getDelivery(id: string, tx?: Tx): Promise<StoredDelivery | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** The message of a group that waits and that no process is sending; null = there is none. */
export async function findWaitingDelivery(
  { channelId, team }: { channelId: string; team: string | null },
  now: number,
  tx: Tx,
): Promise<StoredDelivery | null> {
  const row = await tx
    .selectFrom('deliveries')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('team', 'is not distinct from', team)
    .where('state', '=', 'waiting')
    .where('reason', 'in', ['alerts', 'repeat'])
    .where('leased_until', '<=', now)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** When a message of the group was last tried, epoch ms; null = never. */
export async function findLastTry(
  { channelId, team }: { channelId: string; team: string | null },
  tx: Tx,
): Promise<number | null> {
  const row = await tx
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max('tried_at').as('at'))
    .where('channel_id', '=', channelId)
    .where('team', 'is not distinct from', team)
    .where('reason', '<>', 'test')
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Leases the delivery that is due longest until `leasedUntil` and counts the try; null = none is due. `skip`: ids of
 * channels that may not be sent to now.
 */
export async function leaseDelivery(
  { now, leasedUntil }: { now: number; leasedUntil: number },
  skip: readonly string[],
): Promise<StoredDelivery | null> {
  return runTransaction(async (tx) => {
    let due = tx
      .selectFrom('deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('leased_until', '<=', now);
    if (skip.length > 0) due = due.where('channel_id', 'not in', [...skip]);
    const row = await due.orderBy('due_at').orderBy('id').limit(1).executeTakeFirst();
    if (!row) return null;
    const patch = { leased_until: leasedUntil, tried_at: now, tries: row.tries + 1 };
    await tx.updateTable('deliveries').set(patch).where('id', '=', row.id).execute();
    return fromRow({ ...row, ...patch });
  });
}

/** Number of tries per channel since a time (epoch ms). */
export async function countRecentTries(since: number): Promise<Map<string, number>> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('deliveries')
    .select(['channel_id', ({ fn }) => fn.countAll<number>().as('tries')])
    .where('tried_at', '>', since)
    .groupBy('channel_id')
    .execute();
  return new Map(rows.map((row) => [row.channel_id, Number(row.tries)]));
}

/** The newest deliveries of a channel, or of all (null). */
export async function listDeliveryRows(
  channelId: string | null,
  limit: number,
): Promise<Omit<Delivery, 'channelName'>[]> {
  const db = await getDb(undefined);
  let query = db
    .selectFrom('deliveries')
    .select(['id', 'channel_id', 'team', 'reason', 'state', 'item_count', 'tries', 'created_at'])
    .select(['due_at', 'sent_at', 'last_code', 'last_text']);
  if (channelId !== null) query = query.where('channel_id', '=', channelId);
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ item_count: items, ...row }) => ({ ...fromColumns(row), items }));
}

/** Deletes deliveries that ended before a time (epoch ms). */
export async function deleteDeliveriesBefore(before: number, tx: Tx): Promise<void> {
  await tx.deleteFrom('deliveries').where('state', '<>', 'waiting').where('created_at', '<', before).execute();
}
