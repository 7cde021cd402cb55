import type { Selectable } from 'kysely';
import type { Channel, ChannelInput } from '@/lib/model/alerts/channel';
import { toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { ChannelsTable } from '@/lib/store/tables/alert-tables';

export interface StoredChannel {
  channel: Channel;
  /** Sealed by the vault. */
  sealed: { url: string | null; secret: string | null; previousSecret: string | null };
  previousUntil: number | null;
  target: string;
  updatedAt: number;
  refreshedAt: number;
}

function fromRow(row: Selectable<ChannelsTable>): StoredChannel {
  const body = JSON.parse(row.body) as Omit<ChannelInput, 'secrets' | 'name' | 'kind'>;
  return {
    channel: {
      ...body,
      id: row.id,
      name: row.name,
      kind: row.kind,
      shownUrl: row.shown_url,
      shownSecret: row.shown_secret,
      createdAt: row.created_at,
      failingSince: row.failing_since,
      lastSentAt: row.last_sent_at,
      lastError: row.last_error,
    },
    sealed: { url: row.url, secret: row.secret, previousSecret: row.previous_secret },
    previousUntil: row.previous_until,
    target: row.target,
    updatedAt: row.updated_at,
    refreshedAt: row.refreshed_at,
  };
}

/** All channels, sorted by name. */
export async function listChannelRows(tx?: Tx): Promise<StoredChannel[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('channels').selectAll().orderBy('name').orderBy('id').execute()).map(fromRow);
}

export async function getChannelRow(id: string, tx?: Tx): Promise<StoredChannel | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function putChannelRow({ channel, sealed, previousUntil, target, ...at }: StoredChannel, tx: Tx) {
  const { id, name, kind, shownUrl, shownSecret, createdAt, failingSince, lastSentAt, lastError, ...body } = channel;
  const values = {
    ...{ name, kind, body: JSON.stringify(body), target },
    ...{ url: sealed.url, secret: sealed.secret, previous_secret: sealed.previousSecret },
    ...{ previous_until: previousUntil, shown_url: shownUrl, shown_secret: shownSecret },
    ...{ failing_since: failingSince, last_sent_at: lastSentAt, last_error: lastError },
    ...{ updated_at: at.updatedAt, refreshed_at: at.refreshedAt },
  };
  await tx
    .insertInto('channels')
    .values({ id, created_at: createdAt, ...values })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
}

/** Records how sending went. */
export async function updateChannelHealth(
  id: string,
  health: Partial<Pick<Channel, 'failingSince' | 'lastSentAt' | 'lastError'> & { refreshedAt: number }>,
  tx?: Tx,
): Promise<void> {
  const db = await getDb(tx);
  await db.updateTable('channels').set(toColumns(health)).where('id', '=', id).execute();
}

/** Deletes a channel and its deliveries. */
export async function deleteChannelRow(id: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('deliveries').where('channel_id', '=', id).execute();
  await tx.deleteFrom('channels').where('id', '=', id).execute();
}
