/** The table of snapshots. The keys of a snapshot are in its folder; lists and searches use its row. */

import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { fromColumns, toColumns } from './columns';
import { isPostgres } from './engines/dialect';
import { getDb, type Tx } from './open-store';
import type { SnapshotsTable } from './tables';

function fromRow(row: Selectable<SnapshotsTable>): SnapshotSummary {
  const { storedObjects: _, ...fields } = fromColumns(row);
  const flags = { partial: row.partial === 1, isPart: row.is_part === 1 };
  return { ...fields, ...flags, pinned: row.pinned === 1, baseline: row.baseline === 1 };
}

export async function insertSnapshot(row: SnapshotSummary, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.insertInto('snapshots').values(toColumns(row)).execute();
}

/** Returns true if the row existed. */
export async function updateSnapshot(
  id: string,
  patch: Partial<Omit<SnapshotSummary, 'id'>>,
  tx?: Tx,
): Promise<boolean> {
  const values = toColumns(patch);
  if (Object.keys(values).length === 0) return (await getSnapshotRow(id, tx)) !== null;
  const db = await getDb(tx);
  const done = await db.updateTable('snapshots').set(values).where('id', '=', id).executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function getSnapshotRow(id: string, tx?: Tx): Promise<SnapshotSummary | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Snapshots, newest first; null = of all instances. */
export async function listSnapshotRows(instanceId: string | null, tx?: Tx): Promise<SnapshotSummary[]> {
  const db = await getDb(tx);
  let query = db.selectFrom('snapshots').selectAll().orderBy('started_at', 'desc').orderBy('id', 'desc');
  if (instanceId !== null) query = query.where('instance_id', '=', instanceId);
  return (await query.execute()).map(fromRow);
}

/** Per instance, the newest sealed snapshot of the whole keyspace, else its newest snapshot of the whole keyspace. */
export async function listNewestSnapshotRows(): Promise<SnapshotSummary[]> {
  const db = await getDb(undefined);
  // Two index lookups per instance. A window function would read and sort all snapshots.
  const newestSql = (where: RawBuilder<unknown>) => sql`(select own.id from snapshots as own
    where own.instance_id = known.instance_id and coalesce(own.is_part, 0) = 0 and ${where} order by own.started_at desc, own.id desc limit 1)`;
  const ids = sql<string>`(select coalesce(${newestSql(sql`own.state = 'sealed'`)}, ${newestSql(sql`true`)})
    from (select distinct instance_id from snapshots) as known)`;
  const rows = await db.selectFrom('snapshots').selectAll().where('id', 'in', ids).execute();
  return rows.map(fromRow);
}

/**
 * Per instance, the number of keys in its newest `atMost` sealed snapshots, oldest first. Snapshots of a part of the
 * keyspace are not included.
 */
export async function listKeysHistory(atMost: number): Promise<Map<string, number[]>> {
  const db = await getDb(undefined);
  // One row per instance, because transferring thousands of small rows costs more than joining them.
  const list = isPostgres(db)
    ? sql<string>`string_agg(keys::text, ',' order by started_at, id)`
    : sql<string>`group_concat(keys, ',' order by started_at, id)`;
  const history = sql<string | null>`(select ${list} from (select own.keys, own.started_at, own.id from snapshots as own
    where own.instance_id = known.instance_id and own.state = 'sealed'
    and coalesce(own.is_part, 0) = 0 order by own.started_at desc, own.id desc limit ${atMost}) as newest)`;
  const rows = await db
    .selectFrom(db.selectFrom('snapshots').select('instance_id').distinct().as('known'))
    .select(['instance_id', history.as('history')])
    .execute();
  return new Map(
    rows.flatMap(({ instance_id: id, history }) => (history === null ? [] : [[id, history.split(',').map(Number)]])),
  );
}

/** Makes a snapshot the baseline of its instance, in place of the one before; null: the instance has none. */
export async function setBaselineRow(instanceId: string, id: string | null, tx: Tx): Promise<void> {
  const db = await getDb(tx);
  const ofInstance = db.updateTable('snapshots').where('instance_id', '=', instanceId);
  await ofInstance.set({ baseline: 0 }).where('baseline', '=', 1).execute();
  if (id !== null) await ofInstance.set({ baseline: 1 }).where('id', '=', id).execute();
}

/** Returns true if the row existed. The caller removes the folder. */
export async function deleteSnapshotRow(id: string, tx?: Tx): Promise<boolean> {
  const db = await getDb(tx);
  const done = await db.deleteFrom('snapshots').where('id', '=', id).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Sealed snapshots that are not known to be in an object store, oldest first. */
export async function listSnapshotsToUpload(): Promise<
  Pick<SnapshotSummary, 'id' | 'heldBy' | 'storeError' | 'endedAt'>[]
> {
  const db = await getDb(undefined);
  return db
    .selectFrom('snapshots')
    .select(['id', 'held_by as heldBy', 'store_error as storeError', 'ended_at as endedAt'])
    .where('state', '=', 'sealed')
    .where('stored_at', 'is', null)
    .orderBy('ended_at')
    .execute();
}

/** Records that the upload to the object store was verified. `objects` = number of objects there, the list included. */
export async function recordUpload(id: string, objects: number): Promise<void> {
  const db = await getDb(undefined);
  const set = { stored_at: Date.now(), store_error: null, stored_objects: objects };
  await db.updateTable('snapshots').set(set).where('id', '=', id).execute();
}

export async function recordObjectCount(id: string, objects: number): Promise<void> {
  const db = await getDb(undefined);
  await db.updateTable('snapshots').set({ stored_objects: objects }).where('id', '=', id).execute();
}

/** Number of objects in an object store, per snapshot; null = unknown. */
export async function listObjectCounts(): Promise<Map<string, number | null>> {
  const db = await getDb(undefined);
  const rows = await db.selectFrom('snapshots').select(['id', 'stored_objects']).execute();
  return new Map(rows.map((row) => [row.id, row.stored_objects]));
}
