const buildDeletionTables = (bytes: 'blob' | 'bytea', rowid: '' | 'without rowid'): string[] => [
  // `plan`, `points`, `summary`, `approval` are JSON. `server`: the server that the deletion was last seen to work on.
  `create table deletions (
    id text primary key,
    instance_id text not null,
    task text not null,
    state text not null,
    plan text not null,
    job_id text,
    action text,
    points text,
    summary text,
    approval text,
    server text,
    created_at bigint not null,
    started_at bigint,
    ended_at bigint,
    undo_until bigint
  )`,
  'create index deletions_by_instance on deletions (instance_id, created_at)',
  // The keys of a plan with the facts that it read, and the journal of each. `elements`: null = the length is unknown.
  `create table deletion_items (
    deletion_id text not null,
    seq integer not null,
    name ${bytes} not null,
    db integer not null,
    slot integer not null,
    state text not null,
    mode text,
    type text,
    facts text not null,
    elements bigint,
    expires_soon integer not null default 0,
    journal text,
    reason text,
    removed bigint not null default 0,
    archived bigint not null default 0,
    archive_bytes bigint not null default 0,
    started_at bigint,
    ended_at bigint,
    undo_until bigint,
    constraint deletion_items_key primary key (deletion_id, seq)
  )`,
  'create index deletion_items_by_state on deletion_items (deletion_id, state, seq)',
  // Items that were begun, and items that must be tombstoned before they expire: few rows, found without reading all.
  `create index deletion_items_begun on deletion_items (deletion_id, seq)
    where state = 'planned' and journal is not null`,
  `create index deletion_items_urgent on deletion_items (deletion_id, seq)
    where state = 'planned' and expires_soon = 1`,
  // Counts and sums per deletion, state and end of undo, so that a page reads a few rows instead of a million items.
  // `undo_until`: 0 = none. `returns`: 1 = the key can be restored at any time, whatever the clock says.
  `create table deletion_counts (
    deletion_id text not null,
    state text not null,
    undo_until bigint not null,
    returns integer not null,
    keys bigint not null,
    removed bigint not null,
    archive_bytes bigint not null,
    elements bigint not null,
    lengths_unknown bigint not null,
    primary key (deletion_id, state, undo_until, returns)
  ) ${rowid}`,
];

/** Plans and their items, with the counters that a page reads. */
export const DELETION_TABLES = {
  sqlite: [
    ...buildDeletionTables('blob', 'without rowid'),
    // The flag of `countInBulk`: one row. On PostgreSQL it is a setting that ends with the transaction.
    'create table deletion_counting (bulk integer not null)',
    'insert into deletion_counting (bulk) values (0)',
  ],
  postgres: buildDeletionTables('bytea', ''),
};

const returns = (row: 'old' | 'new') =>
  `(case when ${row}.state in ('tombstoned', 'quarantined', 'restoring', 'needs_review')
    or (${row}.state = 'draining' and ${row}.archived > 0)
    or (${row}.state = 'planned' and ${row}.journal is not null) then 1 else 0 end)`;
const lengthUnknown = (row: 'old' | 'new') => `(case when ${row}.elements is null then 1 else 0 end)`;

const SUBTRACT = `
  update deletion_counts set
    keys = keys - 1, removed = removed - old.removed, archive_bytes = archive_bytes - old.archive_bytes,
    elements = elements - coalesce(old.elements, 0), lengths_unknown = lengths_unknown - ${lengthUnknown('old')}
  where deletion_id = old.deletion_id and state = old.state and undo_until = coalesce(old.undo_until, 0)
    and returns = ${returns('old')};`;

const ADD = `
  insert into deletion_counts
    (deletion_id, state, undo_until, returns, keys, removed, archive_bytes, elements, lengths_unknown)
  values (new.deletion_id, new.state, coalesce(new.undo_until, 0), ${returns('new')},
    1, new.removed, new.archive_bytes, coalesce(new.elements, 0), ${lengthUnknown('new')})
  on conflict (deletion_id, state, undo_until, returns) do update set
    keys = deletion_counts.keys + 1,
    removed = deletion_counts.removed + excluded.removed,
    archive_bytes = deletion_counts.archive_bytes + excluded.archive_bytes,
    elements = deletion_counts.elements + excluded.elements,
    lengths_unknown = deletion_counts.lengths_unknown + excluded.lengths_unknown;`;

const COUNTS_CHANGE = `(old.state <> new.state or old.undo_until is distinct from new.undo_until
  or old.removed <> new.removed or old.archive_bytes <> new.archive_bytes
  or old.elements is distinct from new.elements or old.deletion_id <> new.deletion_id
  or ${returns('old')} <> ${returns('new')})`;

/**
 * Keep the counters in the transaction of each write. Two writers count by themselves, because one by one would cost
 * more than the writing: `insertItems`, for which there is no trigger, and `countInBulk`, which sets a flag meanwhile.
 */
export const DELETION_TRIGGERS = {
  sqlite: [
    `create trigger deletion_items_deleted after delete on deletion_items begin ${SUBTRACT} end`,
    `create trigger deletion_items_updated
    after update of deletion_id, state, undo_until, removed, archive_bytes, archived, journal, elements
    on deletion_items when (select bulk from deletion_counting) = 0 and ${COUNTS_CHANGE}
    begin ${SUBTRACT} ${ADD} end`,
  ],
  postgres: [
    `create function deletion_items_count() returns trigger language plpgsql as $$ begin
    ${SUBTRACT}
    if tg_op = 'UPDATE' then ${ADD} end if;
    return null;
  end $$`,
    `create trigger deletion_items_deleted after delete on deletion_items
    for each row execute function deletion_items_count()`,
    `create trigger deletion_items_updated after update on deletion_items for each row
    when (coalesce(current_setting('colonnade.bulk', true), '') <> '1' and ${COUNTS_CHANGE})
    execute function deletion_items_count()`,
  ],
};
