import { CompiledQuery, type Selectable, sql } from 'kysely';
import type { DeletionItem, DeletionMode, ItemState, Told } from '@/lib/model/deletion';
import { dbOf, type Tx } from './open-store';
import type { DeletionItemsTable } from './tables';

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
/** `begun`: planned, and taken up. `urgent`: planned, and its expiry would block the server. */
export type WalkedState = ItemState | 'begun' | 'urgent';
export type ItemPatch = Partial<Omit<StoredItem, 'deletionId' | 'seq' | 'name' | 'db' | 'slot'>>;

/** What is absent in the text is this: a million items are kept, and most facts of most keys are not remarkable. */
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

function factsText({ nameBytes: _, ...facts }: ItemFacts): string {
  const kept: Record<string, unknown> = { name: facts.name };
  for (const [fact, value] of Object.entries(facts)) {
    const plain = PLAIN_FACTS[fact as keyof typeof PLAIN_FACTS];
    if (value !== plain && !(Array.isArray(value) && value.length === 0)) kept[fact] = value;
  }
  return JSON.stringify(kept);
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
  journal: row.journal === null ? null : JSON.parse(row.journal),
  reason: row.reason === null ? null : JSON.parse(row.reason),
  removed: row.removed,
  archived: row.archived,
  archiveBytes: row.archive_bytes,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  undoUntil: row.undo_until,
});

const INSERT = `insert into deletion_items
  (deletion_id, seq, name, db, slot, state, mode, type, facts, reason, elements, expires_soon)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export async function insertItems(deletionId: string, items: readonly NewItem[], tx: Tx): Promise<void> {
  for (const item of items)
    await tx.executeQuery(
      CompiledQuery.raw(INSERT, [
        deletionId,
        item.seq,
        item.name,
        item.db,
        item.slot,
        item.state ?? 'planned',
        item.mode,
        item.type,
        factsText(item.facts),
        item.reason ? JSON.stringify(item.reason) : null,
        item.type === 'string' ? 1 : item.facts.length,
        item.facts.hazards.includes('expires_soon') ? 1 : 0,
      ]),
    );
}

type Row = Selectable<DeletionItemsTable>;
/** Named, because the planner takes the larger index of states; a bound value would not match their conditions. */
const FEW = {
  begun: { index: 'deletion_items_begun', where: "state = 'planned' and journal is not null" },
  urgent: { index: 'deletion_items_urgent', where: "state = 'planned' and expires_soon = 1" },
};

/** In the order of the plan, after `afterSeq`. Each state is a range of an index: nothing is read that is not given. */
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
  const db = await dbOf(tx);
  const { deletionId, states, seqs, afterSeq, limit = 1000 } = query;
  const rows: Row[] = [];
  for (const state of states ?? [null]) {
    const few = state === 'begun' || state === 'urgent' ? FEW[state] : null;
    const { rows: found } =
      await sql<Row>`select * from deletion_items ${few ? sql.raw(`indexed by ${few.index}`) : sql``}
      where deletion_id = ${deletionId} and seq > ${afterSeq ?? -1}
      ${few ? sql`and ${sql.raw(few.where)}` : state === null ? sql`` : sql`and state = ${state}`}
      ${seqs === undefined ? sql`` : sql`and seq in (${sql.join([...seqs, -1])})`}
      order by seq limit ${limit}`.execute(db);
    rows.push(...found);
  }
  if (states && states.length > 1) rows.sort((a, b) => a.seq - b.seq);
  return rows.slice(0, limit).map(fromRow);
}

export async function updateItem(deletionId: string, seq: number, patch: ItemPatch, tx?: Tx): Promise<void> {
  const set: [string, unknown][] = [];
  if (patch.state !== undefined) set.push(['state', patch.state]);
  if (patch.mode !== undefined) set.push(['mode', patch.mode]);
  if (patch.type !== undefined) set.push(['type', patch.type]);
  if (patch.facts !== undefined) set.push(['facts', factsText(patch.facts)]);
  if (patch.journal !== undefined) set.push(['journal', textOf(patch.journal)]);
  if (patch.reason !== undefined) set.push(['reason', textOf(patch.reason)]);
  if (patch.removed !== undefined) set.push(['removed', patch.removed]);
  if (patch.archived !== undefined) set.push(['archived', patch.archived]);
  if (patch.archiveBytes !== undefined) set.push(['archive_bytes', patch.archiveBytes]);
  if (patch.startedAt !== undefined) set.push(['started_at', patch.startedAt]);
  if (patch.endedAt !== undefined) set.push(['ended_at', patch.endedAt]);
  if (patch.undoUntil !== undefined) set.push(['undo_until', patch.undoUntil]);
  if (set.length === 0) return;
  const db = await dbOf(tx);
  const columns = set.map(([column]) => `${column} = ?`).join(', ');
  // Written as text: a batch writes hundreds of items, and few different sets of columns.
  const text = `update deletion_items set ${columns} where deletion_id = ? and seq = ?`;
  await db.executeQuery(CompiledQuery.raw(text, [...set.map(([, value]) => value), deletionId, seq]));
}

const textOf = (value: unknown) => (value === null ? null : JSON.stringify(value));
