const buildTrendTables = (id: 'integer' | 'bigint', real: 'real' | 'double precision', rowid: '' | 'without rowid') => [
  // What points are about. `top_at`: the last scan in which it was among the largest. `pinned_at`: null = not pinned.
  `create table trend_series (
    id ${id} primary key,
    instance_id text not null,
    dim text not null,
    key text not null,
    top_at bigint not null,
    pinned_at bigint,
    constraint trend_series_key unique (instance_id, dim, key)
  )`,
  // The values of a series at the start of a scan; null = unknown.
  `create table trend_points (
    series_id ${id} not null,
    at bigint not null,
    keys bigint,
    bytes bigint,
    no_expiry bigint,
    bigkeys bigint,
    found bigint,
    elements bigint,
    score ${real},
    used_bytes bigint,
    max_bytes bigint,
    constraint trend_points_key primary key (series_id, at)
  ) ${rowid}`,
  // The scans that added points, and what must be equal in two of them so that their points are comparable.
  `create table trend_scans (
    instance_id text not null,
    at bigint not null,
    snapshot_id text not null,
    policy_hash text not null,
    databases text,
    coverage text not null,
    maxmemory_policy text,
    constraint trend_scans_key primary key (instance_id, at)
  )`,
  'create index trend_scans_by_snapshot on trend_scans (snapshot_id)',
];

/** Values over time, which are kept when their snapshot is removed. */
export const TREND_TABLES = {
  sqlite: buildTrendTables('integer', 'real', 'without rowid'),
  postgres: buildTrendTables('bigint', 'double precision', ''),
};
