export const JOB_TABLES = [
  // `params`, `checkpoint`, `progress`, `cost`, `error` are JSON. `takeovers`: how often the job was taken over without
  // progress since, as JSON. `purpose`: what a job is for, when its kind does several things.
  `create table jobs (
    id text primary key,
    kind text not null,
    purpose text,
    instance_id text,
    instance_name text,
    snapshot_id text,
    state text not null,
    speed text not null,
    params text not null,
    checkpoint text,
    progress text,
    cost text,
    reason text,
    error text,
    actor text not null,
    created_at bigint not null,
    started_at bigint,
    ended_at bigint,
    updated_at bigint not null,
    lease_owner text,
    lease_fence bigint not null default 0,
    lease_until bigint not null default 0,
    takeovers text,
    discard_pending integer not null default 0
  )`,
  'create index jobs_by_state on jobs (state, created_at)',
  'create index jobs_by_change on jobs (updated_at)',
  'create index jobs_by_instance on jobs (instance_id, created_at)',
  'create index jobs_by_age on jobs (created_at, id)',
  // Each turn of the job loop searches for ended jobs with leftovers; without an index it would read all ended jobs.
  'create index jobs_to_discard on jobs (discard_pending, kind) where discard_pending = 1',
  // At most one active job per instance and kind, even if two servers create one at the same time.
  `create unique index jobs_active on jobs (instance_id, kind)
    where state in ('queued', 'running', 'waiting', 'pausing', 'cancelling')`,
  // The processes that share the store. `seen_at` is by the clock of the database.
  `create table workers (
    id text primary key,
    host text not null,
    pid integer not null,
    role text not null,
    labels text not null,
    version text not null,
    key_id text not null,
    jobs integer not null,
    running integer not null,
    started_at bigint not null,
    seen_at bigint not null
  )`,
  // Work that pages leave to workers: `wish`, `answer` and `error` are JSON. A row without `ended_at` is open.
  `create table wishes (
    id text primary key,
    kind text not null,
    snapshot_id text,
    wish text not null,
    made_at bigint not null,
    claimed_until bigint not null,
    tries integer not null,
    ended_at bigint,
    answer text,
    error text
  )`,
  // Holds what is made of a snapshot after its scan: `share` is from 0 to 1, null where it is not known.
  `create table preparations (
    snapshot_id text primary key,
    task text not null,
    share double precision,
    said_at bigint not null
  )`,
  // What happened and is not handled yet (events.ts): `details` is JSON. An event with `tries` is handled again at
  // `due_at`.
  `create table events (
    id text primary key,
    at bigint not null,
    kind text not null,
    instance_id text,
    subject text not null,
    details text not null,
    tries integer not null,
    due_at bigint not null
  )`,
];

/** Triggers that wake other processes; on SQLite a message does that (lib/store/engines/wake-worker.ts). */
export const JOB_TRIGGERS = {
  sqlite: [],
  postgres: [
    `create function jobs_tell() returns trigger language plpgsql as
    $$ begin perform pg_notify('colonnade_jobs', tg_table_schema); return null; end $$`,
    // Only queued jobs are announced: announcing each end of a job would wake every waiting process for nothing.
    `create trigger jobs_tell_new after insert on jobs for each row
    when (new.state = 'queued') execute function jobs_tell()`,
    `create trigger jobs_tell_state after update of state on jobs for each row
    when (old.state is distinct from new.state and new.state = 'queued') execute function jobs_tell()`,
  ],
};
