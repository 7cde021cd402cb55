import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables';

const RETURNS = (row: 'old' | 'new') =>
  `(case when ${row}.state in ('tombstoned','quarantined','restoring','needs_review')
    or (${row}.state = 'draining' and ${row}.archived > 0)
    or (${row}.state = 'planned' and ${row}.journal is not null) then 1 else 0 end)`;
const UNKNOWN = (row: 'old' | 'new') => `(case when ${row}.elements is null then 1 else 0 end)`;

/**
 * The counters of deletions as PostgreSQL's triggers keep them; what they count is said in 0004-deletion-counts.
 * Whoever counts in bulk says so by a setting that ends with its transaction.
 */
export async function countOnPostgres(db: Kysely<Tables>): Promise<void> {
  const subtract = `
    update deletion_counts c set
      keys = c.keys - 1, removed = c.removed - old.removed, archive_bytes = c.archive_bytes - old.archive_bytes,
      elements = c.elements - coalesce(old.elements, 0), lengths_unknown = c.lengths_unknown - ${UNKNOWN('old')}
    where c.deletion_id = old.deletion_id and c.state = old.state and c.undo_until = coalesce(old.undo_until, 0)
      and c.returns = ${RETURNS('old')};`;
  const add = `
    insert into deletion_counts as c
      (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
    values (new.deletion_id, new.state, coalesce(new.undo_until, 0), ${RETURNS('new')},
      1, new.removed, new.archive_bytes, coalesce(new.elements, 0), ${UNKNOWN('new')})
    on conflict (deletion_id, state, undo_until, returns) do update set
      keys = c.keys + 1, removed = c.removed + excluded.removed, archive_bytes = c.archive_bytes + excluded.archive_bytes,
      elements = c.elements + excluded.elements, lengths_unknown = c.lengths_unknown + excluded.lengths_unknown;`;
  for (const text of [
    `create function deletion_items_count() returns trigger language plpgsql as $$ begin
      ${subtract}
      if tg_op = 'UPDATE' then ${add} end if;
      return null;
    end $$`,
    `create trigger deletion_items_deleted after delete on deletion_items
      for each row execute function deletion_items_count()`,
    `create trigger deletion_items_updated after update on deletion_items for each row
      when (coalesce(current_setting('colonnade.bulk', true), '') <> '1' and (old.state <> new.state
        or old.undo_until is distinct from new.undo_until or old.removed <> new.removed
        or old.archive_bytes <> new.archive_bytes or old.elements is distinct from new.elements
        or old.deletion_id <> new.deletion_id or ${RETURNS('old')} <> ${RETURNS('new')}))
      execute function deletion_items_count()`,
  ])
    await sql.raw(text).execute(db);
}
