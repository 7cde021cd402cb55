const ofUser = 'references users (id) on delete cascade';
const ofTeam = 'references teams (id) on delete cascade';

/** People, teams, what both are granted, and everything that somebody signs in with. Tokens are kept as hashes only. */
export const ACCOUNT_TABLES = [
  // `rights_until`: how long the rights that an identity provider gave are valid.
  `create table users (
    id text primary key,
    name text not null,
    name_key text not null unique,
    role text not null,
    password text,
    disabled integer not null default 0,
    created_at bigint not null,
    last_sign_in_at bigint,
    provider text,
    rights_until bigint
  )`,
  `create table grants (
    user_id text not null ${ofUser},
    kind text not null,
    value text not null,
    role text not null,
    constraint grants_pk primary key (user_id, kind, value)
  )`,
  // Prefixes are owned by the name of a team.
  `create table teams (
    id text primary key,
    name text not null,
    name_key text not null unique,
    created_at bigint not null
  )`,
  `create table team_members (
    team_id text not null ${ofTeam},
    user_id text not null ${ofUser},
    by_provider integer not null,
    constraint team_members_pk primary key (team_id, user_id)
  )`,
  'create index team_members_user on team_members (user_id)',
  `create table team_grants (
    team_id text not null ${ofTeam},
    kind text not null,
    value text not null,
    role text not null,
    constraint team_grants_pk primary key (team_id, kind, value)
  )`,
  // `confirmed_at`: when the password was last given in this session.
  `create table sessions (
    id text primary key,
    token_hash text not null unique,
    user_id text not null ${ofUser},
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null,
    confirmed_at bigint not null default 0,
    address text not null,
    agent text not null,
    provider text
  )`,
  'create index sessions_by_user on sessions (user_id)',
  // Links by which somebody sets a password; without a user the link makes the first administrator.
  `create table one_time_links (
    token_hash text primary key,
    user_id text ${ofUser},
    expires_at bigint not null
  )`,
  // Programs sign in with these. Role and grants limit those of the person; they never add to them.
  `create table api_tokens (
    id text primary key,
    token_hash text not null unique,
    user_id text not null ${ofUser},
    name text not null,
    name_key text not null,
    role text not null,
    grants text not null,
    created_at bigint not null,
    expires_at bigint not null,
    last_used_at bigint,
    last_address text,
    constraint api_tokens_name unique (user_id, name_key)
  )`,
  `create table identities (
    issuer text not null,
    subject text not null,
    user_id text not null ${ofUser},
    created_at bigint not null,
    constraint identities_pk primary key (issuer, subject)
  )`,
  // Attempts to sign in with an identity provider that have not come back yet.
  `create table sign_in_attempts (
    state_hash text primary key,
    browser_hash text not null,
    provider text not null,
    next text not null,
    session_id text,
    address text not null,
    created_at bigint not null
  )`,
];
