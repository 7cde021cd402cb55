import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';
import { countOnPostgres } from './count-on-postgres';

/**
 * Counts and sums per deletion, state and end of undo, kept by triggers in the transaction of each write: a page asks a
 * few rows instead of a million, whoever wrote them. `undo_until` 0 = none; `returns` = comes back whatever the clock
 * says.
 */
const RETURNS = (row: 'old' | 'new') =>
  `(${row}.state in ('tombstoned','quarantined','restoring','needs_review')
    or (${row}.state = 'draining' and ${row}.archived > 0)
    or (${row}.state = 'planned' and ${row}.journal is not null))`;

const add = (row: 'new') => `
  insert into deletion_counts
    (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
  values (${row}.deletion_id, ${row}.state, coalesce(${row}.undo_until, 0), ${RETURNS(row)},
    1, ${row}.removed, ${row}.archive_bytes, coalesce(${row}.elements, 0), ${row}.elements is null)
  on conflict (deletion_id, state, undo_until, returns) do update set
    keys = keys + 1, removed = removed + excluded.removed, archive_bytes = archive_bytes + excluded.archive_bytes,
    elements = elements + excluded.elements, lengths_unknown = lengths_unknown + excluded.lengths_unknown;`;

const subtract = `
  update deletion_counts set
    keys = keys - 1, removed = removed - old.removed, archive_bytes = archive_bytes - old.archive_bytes,
    elements = elements - coalesce(old.elements, 0), lengths_unknown = lengths_unknown - (old.elements is null)
  where deletion_id = old.deletion_id and state = old.state and undo_until = coalesce(old.undo_until, 0)
    and returns = ${RETURNS('old')};`;

export async function deletionCounts(db: Kysely<Tables>): Promise<void> {
  const run = (text: RawBuilder<unknown>) => text.execute(db);
  await run(sql`alter table deletion_items add column elements bigint`);
  await run(sql`alter table deletion_items add column expires_soon integer not null default 0`);
  // A string is one element, whatever its bytes. PostgreSQL came later: nothing is there to be counted.
  if (!isPostgres(db))
    await run(sql`update deletion_items set
    elements = case when type = 'string' then 1 else json_extract(facts, '$.length') end,
    expires_soon = instr(facts, '"expires_soon"') > 0`);
  await run(sql`alter table deletions add column summary text`);
  await run(sql`create table deletion_counts (
    deletion_id text not null, state text not null, undo_until bigint not null, returns integer not null,
    keys bigint not null, removed bigint not null, archive_bytes bigint not null, elements bigint not null,
    lengths_unknown bigint not null,
    primary key (deletion_id, state, undo_until, returns)) ${sql.raw(isPostgres(db) ? '' : 'without rowid')}`);
  if (isPostgres(db)) await countOnPostgres(db);
  else await countOnSqlite(run);
  // What was begun, and what must be tombstoned before its expiry: few rows, found without a walk over all.
  await run(sql`create index deletion_items_begun on deletion_items (deletion_id, seq)
    where state = 'planned' and journal is not null`);
  await run(sql`create index deletion_items_urgent on deletion_items (deletion_id, seq)
    where state = 'planned' and expires_soon = 1`);
}

async function countOnSqlite(run: (text: RawBuilder<unknown>) => Promise<unknown>): Promise<void> {
  await run(sql`insert into deletion_counts
    select deletion_id, state, coalesce(undo_until, 0), ${sql.raw(RETURNS('new').replaceAll('new.', ''))}, count(*),
      sum(removed), sum(archive_bytes), sum(coalesce(elements, 0)), sum(elements is null)
    from deletion_items group by 1, 2, 3, 4`);
  // Items come into being a thousand at a time, all alike: `insertItems` counts them, once for all.
  await run(sql.raw(`create trigger deletion_items_deleted after delete on deletion_items begin ${subtract} end`));
  await run(
    sql.raw(`create trigger deletion_items_updated
      after update of deletion_id, state, undo_until, removed, archive_bytes, archived, journal, elements
      on deletion_items
      when old.state <> new.state or old.undo_until is not new.undo_until or old.removed <> new.removed
        or old.archive_bytes <> new.archive_bytes or old.elements is not new.elements
        or old.deletion_id <> new.deletion_id or ${RETURNS('old')} <> ${RETURNS('new')}
      begin ${subtract} ${add('new')} end`),
  );
}
