import { sql } from 'kysely';
import { isPostgres } from './engines/dialect';
import type { Tx } from './open-store';

/**
 * 1 = the key of an item can be restored at any time: it is tombstoned, or partly deleted with an archive. It is the
 * same condition as in the trigger for single writes (migrations/0001-deletion-tables.ts).
 */
export const RETURNS = sql`case when (state in ('tombstoned','quarantined','restoring','needs_review')
  or (state = 'draining' and archived > 0) or (state = 'planned' and journal is not null)) then 1 else 0 end`;

interface Sums {
  state: string;
  undo_until: number;
  returns: number;
  keys: number;
  removed: number;
  archive_bytes: number;
  elements: number;
  lengths_unknown: number;
}

/** Runs `write`, which must change exactly these items, and updates their counters once for all of them. */
export async function countInBulk(
  { deletionId, seqs }: { deletionId: string; seqs: readonly number[] },
  tx: Tx,
  write: () => Promise<void>,
): Promise<void> {
  const distinct = [...new Set(seqs)];
  const before = await readSums(deletionId, distinct, tx);
  await setBulk(1, tx);
  await write();
  await setBulk(0, tx);
  const after = await readSums(deletionId, distinct, tx);
  for (const sum of before) await add(deletionId, sum, -1, tx);
  for (const sum of after) await add(deletionId, sum, 1, tx);
}

/** While it is 1, the trigger does not count. */
const setBulk = (on: 0 | 1, tx: Tx) =>
  isPostgres(tx)
    ? sql`select set_config('colonnade.bulk', ${String(on)}, true)`.execute(tx)
    : sql`update deletion_counting set bulk = ${on}`.execute(tx);

/** Reads each item by the primary key: without `cross join` SQLite's planner would read all items of the deletion. */
async function readSums(deletionId: string, seqs: readonly number[], tx: Tx): Promise<Sums[]> {
  const items = isPostgres(tx)
    ? sql`deletion_items where deletion_id = ${deletionId} and seq = any(${seqs}::integer[])`
    : sql`json_each(${JSON.stringify(seqs)}) as given
        cross join deletion_items on deletion_id = ${deletionId} and seq = given.value`;
  const { rows } = await sql<Sums>`select state, coalesce(undo_until, 0) as undo_until, ${RETURNS} as returns,
      count(*) as keys, sum(removed) as removed, sum(archive_bytes) as archive_bytes,
      sum(coalesce(elements, 0)) as elements, sum(case when elements is null then 1 else 0 end) as lengths_unknown
    from ${items}
    group by 1, 2, 3`.execute(tx);
  return rows;
}

async function add(deletionId: string, sum: Sums, sign: 1 | -1, tx: Tx): Promise<void> {
  const { state, undo_until, returns } = sum;
  await sql`insert into deletion_counts
      (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
    values (${deletionId}, ${state}, ${undo_until}, ${returns}, ${sign * sum.keys}, ${sign * sum.removed},
      ${sign * sum.archive_bytes}, ${sign * sum.elements}, ${sign * sum.lengths_unknown})
    on conflict (deletion_id, state, undo_until, returns) do update set
      keys = deletion_counts.keys + excluded.keys, removed = deletion_counts.removed + excluded.removed,
      archive_bytes = deletion_counts.archive_bytes + excluded.archive_bytes, elements = deletion_counts.elements + excluded.elements,
      lengths_unknown = deletion_counts.lengths_unknown + excluded.lengths_unknown`.execute(tx);
}
