import type { ColumnType, Generated } from 'kysely';
import type { Grant, Role } from '@/lib/model/access';
import type { DeletionState } from '@/lib/model/deletions/deletion';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionMode, DeletionTask } from '@/lib/model/deletions/plan-request';
import type { Speed } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import type { ProcessRole } from '@/lib/model/presence';

/** The columns as they lie in the database: ids TEXT, times epoch ms, JSON as TEXT, booleans 0/1. null = unknown. */
export interface InstancesTable {
  id: string;
  name: string;
  /** InstanceSettings as JSON. */
  settings: string;
  /** Sealed by the vault; never opened but by `lib/credentials`. */
  password: string | null;
  sentinel_password: string | null;
  tls_key: string | null;
  created_at: ColumnType<number, number, never>;
  updated_at: number;
}

export interface InstanceDestinationsTable {
  instance_id: string;
  /** `host:port` as announced, or a range of addresses. */
  address: string;
  /** Whose name; empty: read by a scan before addresses were confirmed. */
  confirmed_by: string;
  confirmed_at: number;
}

export interface JobRowsTable {
  id: string;
  kind: string;
  instance_id: string | null;
  instance_name: string | null;
  snapshot_id: string | null;
  state: JobState;
  speed: Speed;
  params: string;
  checkpoint: string | null;
  progress: string | null;
  cost: string | null;
  reason: string | null;
  error: string | null;
  actor: string;
  created_at: ColumnType<number, number, never>;
  started_at: number | null;
  ended_at: number | null;
  updated_at: number;
  lease_owner: string | null;
  /** Grows with every owner. A write that carries an older one is refused. */
  lease_fence: number;
  lease_until: number;
  /** 1 = ended and its leftovers not removed yet. */
  discard_pending: number;
}

export interface SnapshotsTable {
  id: string;
  instance_id: string;
  job_id: string | null;
  state: 'live' | 'sealed' | 'cancelled' | 'failed';
  started_at: number;
  ended_at: number | null;
  keys: number;
  bytes: number | null;
  bigkeys: number | null;
  no_expiry_keys: number | null;
  partial: number;
  file_bytes: number | null;
  score: number | null;
  mandatory_keys: number | null;
  recommended_keys: number | null;
  advice_keys: number | null;
  /** The policy these four were found under. */
  policy_hash: string | null;
  stored_at: number | null;
  held_by: string | null;
  store_error: string | null;
}

/** `body` is the shape of lib/model/policy as JSON. */
export interface ProfilesTable {
  id: string;
  body: string;
  updated_at: number;
}
export interface AssignmentsTable {
  instance_id: string;
  body: string;
}
export interface ExemptionsTable {
  id: string;
  /** null = every instance. */
  instance_id: string | null;
  body: string;
  created_at: number;
  created_by: string;
}
export interface OwnersTable {
  id: string;
  instance_id: string | null;
  prefix: string;
  team: string;
}
export interface SavedViewsTable {
  id: string;
  instance_id: string;
  user_id: string;
  user_name: string;
  name: string;
  /** 0/1 */
  shared: number;
  /** JSON: page, search, columns. */
  body: string;
  created_at: number;
}
export interface ChecklistTable {
  instance_id: string;
  rule: string;
  body: string;
  updated_at: number;
  updated_by: string;
}

export interface DeletionsTable {
  id: string;
  instance_id: string;
  task: DeletionTask;
  state: DeletionState;
  /** DeletionPlan as JSON. */
  plan: string;
  job_id: string | null;
  action: 'run' | 'undo' | 'purge' | null;
  /** DeletionPoint[] as JSON. */
  points: string | null;
  /** DeletionSummary as JSON, from when its items were removed. */
  summary: string | null;
  created_at: ColumnType<number, number, never>;
  started_at: number | null;
  ended_at: number | null;
  undo_until: number | null;
  /** ServerIdentity as JSON: who answered when it last worked; null = as the plan has it. */
  server: string | null;
  /** Approval as JSON. */
  approval: string | null;
}

export interface DeletionItemsTable {
  deletion_id: string;
  seq: number;
  /** The bytes of the name. */
  name: Uint8Array;
  db: number;
  slot: number;
  state: ItemState;
  mode: DeletionMode | null;
  type: string | null;
  /** ItemFacts as JSON: what the plan saw. */
  facts: string;
  /** What the engine needs to go on after a crash, as JSON. */
  journal: string | null;
  reason: string | null;
  removed: number;
  archived: number;
  archive_bytes: number;
  started_at: number | null;
  ended_at: number | null;
  undo_until: number | null;
  /** As progress counts them: a string is one. null = not known. */
  elements: number | null;
  /** 1 = goes first: its expiry would block the server. */
  expires_soon: number;
}

/** Kept by triggers; see 0004-deletion-counts. */
export interface DeletionCountsTable {
  deletion_id: string;
  state: ItemState;
  /** 0 = none. */
  undo_until: number;
  /** 1 = can come back whatever the clock says. */
  returns: number;
  keys: number;
  removed: number;
  archive_bytes: number;
  elements: number;
  lengths_unknown: number;
}

export interface AuditRowsTable {
  seq: Generated<number>;
  at: number;
  actor_id: string;
  actor_name: string;
  via: string;
  action: string;
  subject: string;
  instance_id: string | null;
  outcome: 'intent' | 'done' | 'refused' | 'failed';
  details: string;
  prev: string;
  hash: string;
  /** null: of rows from before it was kept. */
  role: string | null;
  address: string | null;
  /** Of a person, or `token` and the id of the API token. */
  session: string | null;
  /** The row that said it would be tried; this one says what came of it. */
  intent: number | null;
}

export interface SettingsTable {
  name: string;
  value: string;
}

export interface UsersTable {
  id: string;
  name: string;
  /** The name as it is compared: without case, in one Unicode form. */
  name_key: string;
  role: Role;
  /** argon2id; null = the one-time link has not been used. */
  password: string | null;
  disabled: number;
  created_at: ColumnType<number, number, never>;
  last_sign_in_at: number | null;
  /** Of the identity provider that says role, grants and teams; null = a local account. */
  provider: string | null;
  /** What it said counts until then; null = without end. */
  rights_until: number | null;
}
export interface TeamsTable {
  id: string;
  name: string;
  /** By which names are told apart. */
  name_key: string;
  created_at: ColumnType<number, number, never>;
}
export interface TeamMembersTable {
  team_id: string;
  user_id: string;
  by_provider: number;
}
export interface TeamGrantsTable {
  team_id: string;
  kind: Grant['kind'];
  value: string;
  role: Grant['role'];
}
export interface IdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: ColumnType<number, number, never>;
}
export interface SignInAttemptsTable {
  state_hash: string;
  browser_hash: string;
  provider: string;
  next: string;
  session_id: string | null;
  address: string;
  created_at: ColumnType<number, number, never>;
}
export interface GrantsTable {
  user_id: string;
  kind: Grant['kind'];
  value: string;
  role: Grant['role'];
}
export interface SessionsTable {
  id: string;
  /** SHA-256 of the token; the token itself is in the cookie only. */
  token_hash: string;
  user_id: string;
  created_at: ColumnType<number, number, never>;
  last_seen_at: number;
  expires_at: number;
  confirmed_at: number;
  address: string;
  agent: string;
  /** With which identity provider it began; null = by password or link. */
  provider: string | null;
}
export interface ApiTokensTable {
  id: string;
  /** SHA-256 of the token, which was shown once. */
  token_hash: string;
  user_id: string;
  name: string;
  /** By which names are told apart. */
  name_key: string;
  role: Role;
  /** JSON */
  grants: string;
  created_at: ColumnType<number, number, never>;
  expires_at: number;
  last_used_at: number | null;
  last_address: string | null;
}
export interface OneTimeLinksTable {
  token_hash: string;
  /** null = makes the first administrator. */
  user_id: string | null;
  expires_at: number;
}

/** On PostgreSQL only. */
export interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  role: ProcessRole;
  /** string[] as JSON. */
  labels: string;
  version: string;
  key_id: string;
  jobs: number;
  running: number;
  started_at: number;
  seen_at: number;
}

export interface Tables {
  instances: InstancesTable;
  instance_destinations: InstanceDestinationsTable;
  jobs: JobRowsTable;
  snapshots: SnapshotsTable;
  audit: AuditRowsTable;
  settings: SettingsTable;
  profiles: ProfilesTable;
  assignments: AssignmentsTable;
  exemptions: ExemptionsTable;
  owners: OwnersTable;
  checklist: ChecklistTable;
  saved_views: SavedViewsTable;
  deletions: DeletionsTable;
  deletion_items: DeletionItemsTable;
  deletion_counts: DeletionCountsTable;
  users: UsersTable;
  grants: GrantsTable;
  identities: IdentitiesTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_grants: TeamGrantsTable;
  sessions: SessionsTable;
  sign_in_attempts: SignInAttemptsTable;
  one_time_links: OneTimeLinksTable;
  workers: WorkersTable;
  api_tokens: ApiTokensTable;
  migrations: { name: string; at: number };
}
