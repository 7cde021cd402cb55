import { type Kysely, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/**
 * Counting 500 items one by one costs more than writing them. Whoever writes many at once sets `bulk` within its
 * transaction, counts them before and after, and resets it; every other writer is counted by the trigger as before.
 */
const RETURNS = (row: 'old' | 'new') =>
  `(${row}.state in ('tombstoned','quarantined','restoring','needs_review')
    or (${row}.state = 'draining' and ${row}.archived > 0)
    or (${row}.state = 'planned' and ${row}.journal is not null))`;

export async function countsInBulk(db: Kysely<Tables>): Promise<void> {
  // There a setting of the transaction says it, and the trigger of the first migration asks for it.
  if (isPostgres(db)) return;
  await sql`create table deletion_counting (bulk integer not null)`.execute(db);
  await sql`insert into deletion_counting (bulk) values (0)`.execute(db);
  await sql`drop trigger deletion_items_updated`.execute(db);
  await sql
    .raw(`create trigger deletion_items_updated
      after update of deletion_id, state, undo_until, removed, archive_bytes, archived, journal, elements
      on deletion_items
      when (select bulk from deletion_counting) = 0 and (old.state <> new.state
        or old.undo_until is not new.undo_until or old.removed <> new.removed
        or old.archive_bytes <> new.archive_bytes or old.elements is not new.elements
        or old.deletion_id <> new.deletion_id or ${RETURNS('old')} <> ${RETURNS('new')})
      begin
        update deletion_counts set
          keys = keys - 1, removed = removed - old.removed, archive_bytes = archive_bytes - old.archive_bytes,
          elements = elements - coalesce(old.elements, 0), lengths_unknown = lengths_unknown - (old.elements is null)
        where deletion_id = old.deletion_id and state = old.state and undo_until = coalesce(old.undo_until, 0)
          and returns = ${RETURNS('old')};
        insert into deletion_counts
          (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
        values (new.deletion_id, new.state, coalesce(new.undo_until, 0), ${RETURNS('new')},
          1, new.removed, new.archive_bytes, coalesce(new.elements, 0), new.elements is null)
        on conflict (deletion_id, state, undo_until, returns) do update set
          keys = keys + 1, removed = removed + excluded.removed, archive_bytes = archive_bytes + excluded.archive_bytes,
          elements = elements + excluded.elements, lengths_unknown = lengths_unknown + excluded.lengths_unknown;
      end`)
    .execute(db);
}
