/** Schedules, and one row per due time and instance: what became of it. */
export const SCHEDULE_TABLES = [
  `create table schedules (
    id text primary key,
    body text not null,
    begun_by text not null,
    by_name text not null,
    created_at bigint not null,
    updated_at bigint not null,
    next_at bigint
  )`,
  // The key makes sure that two processes never run one time twice.
  `create table schedule_runs (
    schedule_id text not null,
    instance_id text not null,
    due_at bigint not null,
    start_at bigint not null,
    state text not null,
    reason text,
    job_id text,
    missed_since bigint,
    held_at bigint,
    constraint schedule_runs_key primary key (schedule_id, instance_id, due_at)
  )`,
  'create index schedule_runs_due on schedule_runs (due_at)',
  'create index schedule_runs_open on schedule_runs (state, start_at)',
  'create index schedule_runs_job on schedule_runs (job_id)',
];
