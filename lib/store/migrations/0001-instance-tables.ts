const buildInstanceTables = (real: 'real' | 'double precision'): string[] => [
  // `settings` is JSON; passwords and the key are sealed by the vault.
  `create table instances (
    id text primary key,
    name text not null unique,
    settings text not null,
    password text,
    write_password text,
    sentinel_password text,
    tls_key text,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  // The addresses that somebody has confirmed: only these are connected to.
  `create table instance_destinations (
    instance_id text not null,
    address text not null,
    confirmed_by text not null,
    confirmed_at bigint not null,
    constraint instance_destinations_key primary key (instance_id, address)
  )`,
  // The nodes as registered and as last connected to: two instances that share a node protect its keys together.
  // `master`: the address of its master that a replica reported.
  `create table instance_nodes (
    instance_id text not null,
    address text not null,
    run_id text,
    master text,
    constraint instance_nodes_key primary key (instance_id, address)
  )`,
  'create index instance_nodes_address on instance_nodes (address)',
  'create index instance_nodes_run_id on instance_nodes (run_id)',
  // The four columns from `stored_at` on describe an object store: when the snapshot was verified there by the clock of the process
  // that did it (null: not yet), the host that made it, why the last attempt failed, and how many objects it has there.
  // `is_part`: the snapshot holds a part of the keyspace on purpose, so it never represents its instance.
  // `pinned`: a person wants it to be kept.
  `create table snapshots (
    id text primary key,
    instance_id text not null,
    job_id text,
    state text not null,
    started_at bigint not null,
    ended_at bigint,
    keys bigint not null,
    bytes bigint,
    bigkeys bigint,
    no_expiry_keys bigint,
    partial integer not null,
    is_part integer,
    baseline integer not null default 0,
    file_bytes bigint,
    score ${real},
    mandatory_keys bigint,
    recommended_keys bigint,
    advice_keys bigint,
    policy_hash text,
    stored_at bigint,
    held_by text,
    store_error text,
    stored_objects bigint,
    pinned integer
  )`,
  'create index snapshots_by_instance on snapshots (instance_id, started_at)',
  // Views are removed with their instance. `user_name` is kept, because an account may be removed.
  `create table saved_views (
    id text primary key,
    instance_id text not null references instances (id) on delete cascade,
    user_id text not null,
    user_name text not null,
    name text not null,
    shared integer not null,
    body text not null,
    created_at bigint not null,
    constraint saved_views_name unique (instance_id, user_id, name)
  )`,
];

/** Instances, what is known of their servers, their snapshots, and the views that people saved of them. */
export const INSTANCE_TABLES = {
  sqlite: buildInstanceTables('real'),
  postgres: buildInstanceTables('double precision'),
};
