import { sql } from 'kysely';
import type { ItemState } from '@/lib/model/deletions/item-states';
import { RETURNS } from '@/lib/store/count-in-bulk';
import { getDb, type Tx } from '@/lib/store/open-store';

/**
 * Number of items per state, from the counters that triggers maintain: a few rows, whether there are ten items or a
 * million.
 */
export async function countItems(deletionId: string, tx?: Tx): Promise<Partial<Record<ItemState, number>>> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('deletion_counts')
    .select(({ fn }) => ['state', fn.sum<number>('keys').as('items')])
    .where('deletion_id', '=', deletionId)
    .where('keys', '>', 0)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, items }) => [state, items]));
}

/** Whether a key can be restored: at any time (`RETURNS`), or because its undo has not ended yet. */
const restorableSql = (now: number) => sql<boolean>`(returns = 1 or undo_until > ${now})`;

interface ItemSums {
  removed: number;
  archiveBytes: number;
  /** Keys that an undo would restore at this moment. */
  undoable: number;
  /** The earliest end of an undo, epoch ms; null = none ends. */
  undoUntil: number | null;
}

export async function sumItems(deletionId: string, now: number, tx?: Tx): Promise<ItemSums> {
  const db = await getDb(tx);
  const row = await db
    .selectFrom('deletion_counts')
    .select(({ fn }) => [
      fn.sum<number>('removed').as('removed'),
      fn.sum<number>('archive_bytes').as('archiveBytes'),
      sql<number>`sum(case when ${restorableSql(now)} then keys else 0 end)`.as('undoable'),
      sql<number | null>`min(case when undo_until > 0 then undo_until end)`.as('undoUntil'),
    ])
    .where('deletion_id', '=', deletionId)
    .where('keys', '>', 0)
    .executeTakeFirst();
  // A sum over no rows is null.
  const { removed, archiveBytes, undoable, undoUntil } = row ?? {};
  return {
    removed: removed ?? 0,
    archiveBytes: archiveBytes ?? 0,
    undoable: undoable ?? 0,
    undoUntil: undoUntil ?? null,
  };
}

/**
 * Counts what an undo of all items (`seqs` = null), or of some, would restore. A string counts as one element.
 * `elements` null = the length of at least one key is unknown.
 */
export async function sumToUndo(
  deletionId: string,
  seqs: readonly number[] | null,
  now: number,
): Promise<{ keys: number; elements: number | null }> {
  const db = await getDb(undefined);
  const { rows } = await (seqs === null
    ? sql<Sum>`select sum(keys) as keys, sum(elements) as elements, sum(lengths_unknown) as unknown
        from deletion_counts where deletion_id = ${deletionId} and keys > 0 and ${restorableSql(now)}`
    : sql<Sum>`select count(*) as keys, sum(elements) as elements, sum(case when elements is null then 1 else 0 end) as unknown
        from deletion_items where deletion_id = ${deletionId} and seq in (${sql.join([...seqs, -1])})
        and (undo_until > ${now} or ${RETURNS} = 1)`
  ).execute(db);
  const [row] = rows;
  return { keys: row?.keys ?? 0, elements: row?.unknown ? null : (row?.elements ?? 0) };
}

/** Whether an undo has restored any key since `since` (epoch ms). */
export async function hasUndoneSince(deletionId: string, since: number): Promise<boolean> {
  const db = await getDb(undefined);
  const row = await db
    .selectFrom('deletion_items')
    .select('seq')
    .where('deletion_id', '=', deletionId)
    .where('state', '=', 'undone')
    .where('ended_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface Sum {
  keys: number | null;
  elements: number | null;
  unknown: number | null;
}
