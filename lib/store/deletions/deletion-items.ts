import { type Selectable, sql } from 'kysely';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { DeletionItem } from '@/lib/model/deletions/deletion-item';
import { type ItemJournal, parseJournal } from '@/lib/model/deletions/item-journal';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import { append } from '@/lib/model/text/append';
import { toColumnName } from '@/lib/store/columns';
import { countInBulk } from '@/lib/store/count-in-bulk';
import { isPostgres } from '@/lib/store/engines/dialect';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { DeletionItemsTable } from '@/lib/store/tables/deletion-tables';
import { insertItemRows, updateItemRows } from './write-item-rows';

/** The facts of a key that the plan read. */
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

/** An item with its exact name and the fields that only the engine needs. */
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
  /** null before the first step. */
  journal: ItemJournal | null;
  reason: CodedMessage | null;
  removed: number;
  archived: number;
  archiveBytes: number;
  startedAt: number | null;
  endedAt: number | null;
  undoUntil: number | null;
}
export type NewItem = Pick<StoredItem, 'seq' | 'name' | 'db' | 'slot' | 'mode' | 'type' | 'facts'>;
/** `begun` = planned and already started. `urgent` = planned, and the expiry of the key would block the server. */
export type WalkedState = ItemState | 'begun' | 'urgent';
export type ItemPatch = Partial<Omit<StoredItem, 'deletionId' | 'seq' | 'name' | 'db' | 'slot'>>;

/**
 * Facts that are absent in the stored text have these values. A plan may have a million items, and most facts of most
 * keys have the usual value.
 */
const PLAIN_FACTS: Omit<ItemFacts, 'name' | 'nameBytes'> = {
  address: '',
  encoding: null,
  length: null,
  bytes: null,
  expireAt: null,
  expiryKnown: true,
  idleSeconds: null,
  modeReason: null,
  hazards: [],
  newExpireAt: null,
};

/** Formats facts as JSON, without those that have their usual value, and without what follows from the name. */
function formatFacts(facts: ItemFacts): string {
  const unusual: Partial<Record<keyof ItemFacts, unknown>> = { name: facts.name };
  for (const fact of Object.keys(PLAIN_FACTS) as (keyof typeof PLAIN_FACTS)[]) {
    const value = facts[fact];
    if (value !== PLAIN_FACTS[fact] && !(Array.isArray(value) && value.length === 0)) unusual[fact] = value;
  }
  return JSON.stringify(unusual);
}

const fromRow = (row: Selectable<DeletionItemsTable>): StoredItem => ({
  deletionId: row.deletion_id,
  seq: row.seq,
  name: Buffer.from(row.name.buffer, row.name.byteOffset, row.name.byteLength),
  db: row.db,
  slot: row.slot,
  state: row.state,
  mode: row.mode,
  type: row.type,
  facts: { ...PLAIN_FACTS, nameBytes: row.name.byteLength, ...JSON.parse(row.facts) },
  journal: row.journal === null ? null : parseJournal(row.journal, { deletionId: row.deletion_id, seq: row.seq }),
  reason: row.reason === null ? null : JSON.parse(row.reason),
  removed: row.removed,
  archived: row.archived,
  archiveBytes: row.archive_bytes,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  undoUntil: row.undo_until,
});

/** Inserts items in the state `planned`, and counts them, because there is no trigger for inserted items. */
export async function insertItems(deletionId: string, items: readonly NewItem[], tx: Tx): Promise<void> {
  let elements = 0;
  let unknown = 0;
  const rows = items.map((item) => {
    // The length of a string is bytes, so it counts as one element.
    const length = item.type === 'string' ? 1 : item.facts.length;
    elements += length ?? 0;
    if (length === null) unknown++;
    const expiresSoon = item.facts.hazards.includes('expires_soon') ? 1 : 0;
    const facts = formatFacts(item.facts);
    return [item.seq, item.name, item.db, item.slot, 'planned', item.mode, item.type, facts, length, expiresSoon];
  });
  await insertItemRows(deletionId, rows, tx);
  await sql`insert into deletion_counts
    (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
    values (${deletionId}, 'planned', 0, 0, ${items.length}, 0, 0, ${elements}, ${unknown})
    on conflict (deletion_id, state, undo_until, returns) do update set
      keys = deletion_counts.keys + excluded.keys, elements = deletion_counts.elements + excluded.elements,
      lengths_unknown = deletion_counts.lengths_unknown + excluded.lengths_unknown`.execute(tx);
}

/**
 * The partial indexes of rare items. On SQLite the index is named, because the planner would take the larger index of
 * states. The conditions are literal, because bound values would not match those of a partial index.
 */
const RARE = {
  begun: { index: 'deletion_items_begun', where: "state = 'planned' and journal is not null" },
  urgent: { index: 'deletion_items_urgent', where: "state = 'planned' and expires_soon = 1" },
};

/**
 * Items in the order of the plan, after `afterSeq`. Each state is a range of an index, so no row is read that is not
 * returned.
 */
export async function listItems(
  query: {
    deletionId: string;
    states?: readonly WalkedState[] | undefined;
    seqs?: readonly number[] | undefined;
    afterSeq?: number | undefined;
    limit?: number | undefined;
  },
  tx?: Tx,
): Promise<StoredItem[]> {
  const db = await getDb(tx);
  const { deletionId, states, seqs, afterSeq, limit = 1000 } = query;
  const rows: Selectable<DeletionItemsTable>[] = [];
  for (const state of states ?? [null]) {
    const rare = state === 'begun' || state === 'urgent' ? RARE[state] : null;
    const index = rare && !isPostgres(db) ? sql.raw(`indexed by ${rare.index}`) : sql``;
    const { rows: found } = await sql<Selectable<DeletionItemsTable>>`select * from deletion_items ${index}
      where deletion_id = ${deletionId} and seq > ${afterSeq ?? -1}
      ${rare ? sql`and ${sql.raw(rare.where)}` : state === null ? sql`` : sql`and state = ${state}`}
      ${seqs === undefined ? sql`` : sql`and seq in (${sql.join([...seqs, -1])})`}
      order by seq limit ${limit}`.execute(db);
    append(rows, found);
  }
  if (states && states.length > 1) rows.sort((a, b) => a.seq - b.seq);
  return rows.slice(0, limit).map(fromRow);
}

export async function updateItem(deletionId: string, seq: number, patch: ItemPatch, tx?: Tx): Promise<void> {
  await updateItems(deletionId, [{ seq, patch }], tx);
}

/** Up to this many writes are counted one by one by the trigger. */
const FEW_WRITES = 8;
/** Fields on which the counters depend. */
const COUNTED = new Set<keyof ItemPatch>(['state', 'undoUntil', 'removed', 'archiveBytes', 'archived', 'journal']);

/** Updates many items of one deletion: rows that set the same columns use one prepared statement. */
export async function updateItems(
  deletionId: string,
  writes: readonly { seq: number; patch: ItemPatch }[],
  tx?: Tx,
): Promise<void> {
  const byFields = new Map<string, { fields: (keyof ItemPatch)[]; rows: unknown[][] }>();
  for (const { seq, patch } of writes) {
    const fields = (Object.keys(patch) as (keyof ItemPatch)[]).filter((field) => patch[field] !== undefined);
    if (fields.length === 0) continue;
    const row: unknown[] = fields.map((field) => toColumnValue(field, patch));
    row.push(seq);
    const id = fields.join();
    const known = byFields.get(id);
    if (known) known.rows.push(row);
    else byFields.set(id, { fields, rows: [row] });
  }
  const db = await getDb(tx);
  const write = async () => {
    for (const { fields, rows } of byFields.values()) {
      await updateItemRows(deletionId, fields.map(toColumnName), rows, db);
    }
  };
  const counted = [...byFields.values()].some(({ fields }) => fields.some((field) => COUNTED.has(field)));
  if (!tx || !counted || writes.length <= FEW_WRITES) return write();
  await countInBulk({ deletionId, seqs: writes.map(({ seq }) => seq) }, tx, write);
}

function toColumnValue(field: keyof ItemPatch, patch: ItemPatch): unknown {
  if (field === 'facts') return patch.facts ? formatFacts(patch.facts) : null;
  const value = patch[field];
  return (field === 'journal' || field === 'reason') && value !== null ? JSON.stringify(value) : value;
}
