import { setImmediate as pause } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Approval } from '@/lib/model/deletions/approval';
import type { DeletionPoint, DeletionState, DeletionSummary } from '@/lib/model/deletions/deletion';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { ServerIdentity } from '@/lib/model/servers/server-identity';
import { toColumns } from '@/lib/store/columns';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { DeletionsTable } from '@/lib/store/tables/deletion-tables';

export interface StoredDeletion {
  plan: DeletionPlan;
  state: DeletionState;
  jobId: string | null;
  action: 'run' | 'undo' | 'purge' | null;
  points: DeletionPoint[];
  startedAt: number | null;
  endedAt: number | null;
  undoUntil: number | null;
  /** Set when its items are removed; null before. */
  summary: DeletionSummary | null;
  /** The server that answered last. */
  server: ServerIdentity;
  /** As stored. It is not valid for a plan that was refreshed after the approval or is too old. */
  approval: Approval | null;
}
type DeletionPatch = Partial<Omit<StoredDeletion, 'summary'>>;

const fromRow = (row: Selectable<DeletionsTable>): StoredDeletion => {
  const plan: DeletionPlan = JSON.parse(row.plan);
  return {
    plan,
    state: row.state,
    jobId: row.job_id,
    action: row.action,
    points: row.points === null ? [] : JSON.parse(row.points),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    undoUntil: row.undo_until,
    summary: row.summary === null ? null : JSON.parse(row.summary),
    server: row.server === null ? plan.server : JSON.parse(row.server),
    approval: row.approval === null ? null : JSON.parse(row.approval),
  };
};

export async function insertDeletion(plan: DeletionPlan, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db
    .insertInto('deletions')
    .values({
      id: plan.id,
      instance_id: plan.instanceId,
      task: plan.task,
      state: 'planned',
      plan: JSON.stringify(plan),
      created_at: plan.createdAt,
    })
    .execute();
}

export async function updateDeletion(id: string, patch: DeletionPatch, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const { plan, points, server, approval, ...others } = patch;
  const set = {
    ...toColumns(others),
    ...(plan !== undefined && { plan: JSON.stringify(plan) }),
    ...(points !== undefined && { points: JSON.stringify(points) }),
    ...(server !== undefined && { server: JSON.stringify(server) }),
    ...(approval !== undefined && { approval: approval === null ? null : JSON.stringify(approval) }),
  };
  if (Object.keys(set).length > 0) await db.updateTable('deletions').set(set).where('id', '=', id).execute();
}

export async function getStoredDeletion(id: string, tx?: Tx): Promise<StoredDeletion | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('deletions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Deletions, newest first. */
export async function listStoredDeletions(query: {
  instanceId?: string | undefined;
  /** Only deletions of these instances. */
  instanceIds?: readonly string[] | undefined;
  states?: DeletionState[] | undefined;
  limit?: number | undefined;
}): Promise<StoredDeletion[]> {
  if (query.instanceIds?.length === 0) return [];
  const db = await getDb(undefined);
  let select = db.selectFrom('deletions').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  if (query.instanceId !== undefined) select = select.where('instance_id', '=', query.instanceId);
  if (query.instanceIds !== undefined) select = select.where('instance_id', 'in', [...query.instanceIds]);
  if (query.states !== undefined) select = select.where('state', 'in', query.states);
  return (await select.limit(query.limit ?? 100).execute()).map(fromRow);
}

/** When the last of its items was started, epoch ms; null = none was. */
export async function getLatestStart(id: string, tx: Tx): Promise<number | null> {
  const { max } = tx.fn;
  const row = await tx
    .selectFrom('deletion_items')
    .select(max('started_at').as('at'))
    .where('deletion_id', '=', id)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Deletes a deletion with its items. The items are deleted in batches, because there may be a million. After a crash
 * the remaining items are orphans (`findOrphanItems`).
 */
export async function deleteDeletion(id: string): Promise<void> {
  const db = await getDb(undefined);
  await db.deleteFrom('deletions').where('id', '=', id).execute();
  await deleteItems(id);
}

/** Replaces the row of a plan that was refreshed. Its items are moved by `moveItems`. */
export async function replacePlan(plan: DeletionPlan, tx: Tx): Promise<void> {
  await tx.deleteFrom('deletions').where('id', '=', plan.id).execute();
  await insertDeletion(plan, tx);
}

/** Moves all items of one plan to another that has none, in batches. */
export async function moveItems(from: string, to: string): Promise<void> {
  const db = await getDb(undefined);
  for (;;) {
    const some = db.selectFrom('deletion_items').select('seq').where('deletion_id', '=', from).limit(MOVED_AT_ONCE);
    const { numUpdatedRows } = await db
      .updateTable('deletion_items')
      .set({ deletion_id: to })
      .where('deletion_id', '=', from)
      .where('seq', 'in', some)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await pause();
  }
}

/**
 * Deletes the row of a plan if nobody has confirmed it yet, and returns whether it did. The items are left to
 * `deleteItems`.
 */
export async function deletePlanned(id: string, tx: Tx): Promise<boolean> {
  if ((await getStoredDeletion(id, tx))?.state !== 'planned') return false;
  await tx.deleteFrom('deletions').where('id', '=', id).execute();
  return true;
}

/** Ids, older than `before`, of plans that have items but no row, because of a crash. */
export async function findOrphanItems(before: string): Promise<string[]> {
  const db = await getDb(undefined);
  // One index lookup per deletion, however many items it has.
  const { rows } = await sql<{ id: string }>`
    with recursive ids(id) as (
      select min(deletion_id) from deletion_items
      union all
      select (select min(deletion_id) from deletion_items where deletion_id > ids.id) from ids where ids.id is not null
    )
    select id from ids where id < ${before} and id not in (select id from deletions)`.execute(db);
  return rows.map(({ id }) => id);
}

const ITEMS_AT_ONCE = 2_000;
/** Fewer than for deleting, because each moved row gets a new key in three indexes. */
const MOVED_AT_ONCE = 500;

/** Deletes all items of a deletion, in batches. */
export async function deleteItems(deletionId: string): Promise<void> {
  const db = await getDb(undefined);
  for (;;) {
    const some = db
      .selectFrom('deletion_items')
      .select('seq')
      .where('deletion_id', '=', deletionId)
      .limit(ITEMS_AT_ONCE);
    const { numDeletedRows } = await db
      .deleteFrom('deletion_items')
      .where('deletion_id', '=', deletionId)
      .where('seq', 'in', some)
      .executeTakeFirst();
    if (numDeletedRows === 0n) break;
    await pause();
  }
  await db.deleteFrom('deletion_counts').where('deletion_id', '=', deletionId).execute();
}
