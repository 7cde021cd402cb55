/** Instances are checked against these. Bodies are JSON; `instance_id` null means all instances. */
export const POLICY_TABLES = [
  'create table profiles (id text primary key, body text not null, updated_at bigint not null)',
  'create table assignments (instance_id text primary key, body text not null)',
  `create table exemptions (
    id text primary key,
    instance_id text,
    body text not null,
    created_at bigint not null,
    created_by text not null
  )`,
  'create table owners (id text primary key, instance_id text, prefix text not null, team text not null)',
  `create table checklist (
    instance_id text not null,
    rule text not null,
    body text not null,
    updated_at bigint not null,
    updated_by text not null,
    constraint checklist_key primary key (instance_id, rule)
  )`,
];
