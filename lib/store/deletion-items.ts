import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { DeletionItem, DeletionMode, ItemState, Told } from '@/lib/model/deletion';
import { dbOf, type Tx } from './open-store';
import type { DeletionItemsTable, Tables } from './tables';

/** What the plan saw of a key. */
export type ItemFacts = Pick<
  DeletionItem,
  | 'name'
  | 'nameBytes'
  | 'address'
  | 'encoding'
  | 'length'
  | 'bytes'
  | 'expireAt'
  | 'expiryKnown'
  | 'idleSeconds'
  | 'modeReason'
  | 'hazards'
  | 'newExpireAt'
>;

/** An item with its exact name and what the engine needs. */
export interface StoredItem {
  deletionId: string;
  seq: number;
  name: Buffer;
  db: number;
  slot: number;
  state: ItemState;
  mode: DeletionMode | null;
  type: string | null;
  facts: ItemFacts;
  /** JSON of the engine's own shape; null before the first step. */
  journal: unknown;
  reason: Told | null;
  removed: number;
  archived: number;
  archiveBytes: number;
  startedAt: number | null;
  endedAt: number | null;
  undoUntil: number | null;
}
export type NewItem = Pick<StoredItem, 'seq' | 'name' | 'db' | 'slot' | 'mode' | 'type' | 'facts'> &
  Partial<Pick<StoredItem, 'state' | 'reason'>>;
export type ItemPatch = Partial<Omit<StoredItem, 'deletionId' | 'seq' | 'name' | 'db' | 'slot'>>;

const fromRow = (row: Selectable<DeletionItemsTable>): StoredItem => ({
  deletionId: row.deletion_id,
  seq: row.seq,
  name: Buffer.from(row.name),
  db: row.db,
  slot: row.slot,
  state: row.state,
  mode: row.mode,
  type: row.type,
  facts: JSON.parse(row.facts),
  journal: row.journal === null ? null : JSON.parse(row.journal),
  reason: row.reason === null ? null : JSON.parse(row.reason),
  removed: row.removed,
  archived: row.archived,
  archiveBytes: row.archive_bytes,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  undoUntil: row.undo_until,
});

/** SQLite binds at most some 32,000 values a statement. */
const ROWS_AT_ONCE = 1000;

export async function insertItems(deletionId: string, items: readonly NewItem[], tx: Tx): Promise<void> {
  for (let from = 0; from < items.length; from += ROWS_AT_ONCE) {
    const values = items.slice(from, from + ROWS_AT_ONCE).map((item) => ({
      deletion_id: deletionId,
      seq: item.seq,
      name: item.name,
      db: item.db,
      slot: item.slot,
      state: item.state ?? ('planned' as const),
      mode: item.mode,
      type: item.type,
      facts: JSON.stringify(item.facts),
      journal: null,
      reason: item.reason ? JSON.stringify(item.reason) : null,
      removed: 0,
      archived: 0,
      archive_bytes: 0,
      started_at: null,
      ended_at: null,
      undo_until: null,
    }));
    if (values.length > 0) await tx.insertInto('deletion_items').values(values).execute();
  }
}

/** In the order of the plan, after `afterSeq`. */
export async function listItems(
  query: {
    deletionId: string;
    states?: readonly ItemState[] | undefined;
    seqs?: readonly number[] | undefined;
    afterSeq?: number | undefined;
    limit?: number | undefined;
  },
  tx?: Tx,
): Promise<StoredItem[]> {
  const db = await dbOf(tx);
  let select = db.selectFrom('deletion_items').selectAll().where('deletion_id', '=', query.deletionId).orderBy('seq');
  if (query.states !== undefined) select = select.where('state', 'in', [...query.states]);
  if (query.seqs !== undefined) select = select.where('seq', 'in', [...query.seqs]);
  if (query.afterSeq !== undefined) select = select.where('seq', '>', query.afterSeq);
  return (await select.limit(query.limit ?? 1000).execute()).map(fromRow);
}

export async function updateItem(deletionId: string, seq: number, patch: ItemPatch, tx?: Tx): Promise<void> {
  const db = await dbOf(tx);
  const set: Updateable<DeletionItemsTable> = {
    ...(patch.state !== undefined && { state: patch.state }),
    ...(patch.mode !== undefined && { mode: patch.mode }),
    ...(patch.type !== undefined && { type: patch.type }),
    ...(patch.facts !== undefined && { facts: JSON.stringify(patch.facts) }),
    ...(patch.journal !== undefined && { journal: patch.journal === null ? null : JSON.stringify(patch.journal) }),
    ...(patch.reason !== undefined && { reason: patch.reason === null ? null : JSON.stringify(patch.reason) }),
    ...(patch.removed !== undefined && { removed: patch.removed }),
    ...(patch.archived !== undefined && { archived: patch.archived }),
    ...(patch.archiveBytes !== undefined && { archive_bytes: patch.archiveBytes }),
    ...(patch.startedAt !== undefined && { started_at: patch.startedAt }),
    ...(patch.endedAt !== undefined && { ended_at: patch.endedAt }),
    ...(patch.undoUntil !== undefined && { undo_until: patch.undoUntil }),
  };
  if (Object.keys(set).length === 0) return;
  await db
    .updateTable('deletion_items')
    .set(set)
    .where('deletion_id', '=', deletionId)
    .where('seq', '=', seq)
    .execute();
}

export async function countItems(deletionId: string, tx?: Tx): Promise<Partial<Record<ItemState, number>>> {
  const db = await dbOf(tx);
  const rows = await db
    .selectFrom('deletion_items')
    .select(({ fn }) => ['state', fn.countAll<number>().as('items')])
    .where('deletion_id', '=', deletionId)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, items }) => [state, Number(items)]));
}

/**
 * In time; or set aside or stopped half way, which the clock does not end; or taken up and cut off before the journal
 * knew. What was begun without a copy does not come back.
 */
const comesBack = (eb: ExpressionBuilder<Tables, 'deletion_items'>, now: number) =>
  eb.or([
    eb('undo_until', '>', now),
    eb('state', 'in', ['tombstoned', 'quarantined', 'restoring', 'needs_review']),
    eb.and([eb('state', '=', 'draining'), eb('archived', '>', 0)]),
    eb.and([eb('state', '=', 'planned'), eb('journal', 'is not', null)]),
  ]);

export async function sumItems(
  deletionId: string,
  now: number,
  tx?: Tx,
): Promise<{ removed: number; archiveBytes: number; undoable: number; undoUntil: number | null }> {
  const db = await dbOf(tx);
  const row = await db
    .selectFrom('deletion_items')
    .select(({ fn, eb }) => [
      fn.sum<number>('removed').as('removed'),
      fn.sum<number>('archive_bytes').as('archiveBytes'),
      fn.sum<number>(eb.case().when(comesBack(eb, now)).then(1).else(0).end()).as('undoable'),
      fn.min<number>('undo_until').as('undoUntil'),
    ])
    .where('deletion_id', '=', deletionId)
    .executeTakeFirst();
  return {
    removed: Number(row?.removed ?? 0),
    archiveBytes: Number(row?.archiveBytes ?? 0),
    undoable: Number(row?.undoable ?? 0),
    undoUntil: row?.undoUntil ?? null,
  };
}

/** What an undo of all items, or of some, brings back; a string counts as one element. null = a length is not known. */
export async function sumToUndo(
  deletionId: string,
  seqs: readonly number[] | null,
  now: number,
): Promise<{ keys: number; elements: number | null }> {
  const db = await dbOf(undefined);
  let select = db
    .selectFrom('deletion_items')
    .select(({ fn }) => [
      fn.countAll<number>().as('keys'),
      sql<number | null>`sum(case when type = 'string' then 1 else json_extract(facts, '$.length') end)`.as('elements'),
      sql<number>`sum(type is not 'string' and json_extract(facts, '$.length') is null)`.as('unknown'),
    ])
    .where('deletion_id', '=', deletionId)
    .where((eb) => comesBack(eb, now));
  if (seqs !== null) select = select.where('seq', 'in', [...seqs]);
  const row = await select.executeTakeFirst();
  return { keys: Number(row?.keys ?? 0), elements: row?.unknown ? null : Number(row?.elements ?? 0) };
}
