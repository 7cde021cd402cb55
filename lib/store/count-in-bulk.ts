import { sql } from 'kysely';
import type { Tx } from './open-store';

/** As the trigger on single writes says. */
const RETURNS = sql`(state in ('tombstoned','quarantined','restoring','needs_review')
  or (state = 'draining' and archived > 0) or (state = 'planned' and journal is not null))`;

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

/**
 * Carries out `write`, which changes these items and no others, with their counters brought up to date once for all.
 */
export async function countInBulk(
  { deletionId, seqs }: { deletionId: string; seqs: readonly number[] },
  tx: Tx,
  write: () => Promise<void>,
): Promise<void> {
  const list = JSON.stringify([...new Set(seqs)]);
  const before = await sums(deletionId, list, tx);
  await sql`update deletion_counting set bulk = 1`.execute(tx);
  await write();
  await sql`update deletion_counting set bulk = 0`.execute(tx);
  const after = await sums(deletionId, list, tx);
  for (const sum of before) await add(deletionId, sum, -1, tx);
  for (const sum of after) await add(deletionId, sum, 1, tx);
}

/** Item by item through the primary key: left to itself the planner walks all items of the deletion by their states. */
async function sums(deletionId: string, seqs: string, tx: Tx): Promise<Sums[]> {
  const { rows } = await sql<Sums>`select state, coalesce(undo_until, 0) as undo_until, ${RETURNS} as returns,
      count(*) as keys, sum(removed) as removed, sum(archive_bytes) as archive_bytes,
      sum(coalesce(elements, 0)) as elements, sum(elements is null) as lengths_unknown
    from json_each(${seqs}) as given cross join deletion_items on deletion_id = ${deletionId} and seq = given.value
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
      keys = keys + excluded.keys, removed = removed + excluded.removed,
      archive_bytes = archive_bytes + excluded.archive_bytes, elements = elements + excluded.elements,
      lengths_unknown = lengths_unknown + excluded.lengths_unknown`.execute(tx);
}
