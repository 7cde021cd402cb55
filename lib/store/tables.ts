/**
 * The columns as stored: ids TEXT, times epoch ms, JSON as TEXT, booleans 0/1, null = unknown. The file is long because
 * one list of all tables is easier to search than several.
 */

import type { ColumnType, Generated } from 'kysely';
import type { JobPurpose, Speed } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import type { ProcessRole } from '@/lib/model/presence';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import type {
  ApiTokensTable,
  GrantsTable,
  IdentitiesTable,
  OneTimeLinksTable,
  SessionsTable,
  SignInAttemptsTable,
  TeamGrantsTable,
  TeamMembersTable,
  TeamsTable,
  UsersTable,
} from './tables/account-tables';
import type {
  AlertRulesTable,
  AlertsTable,
  ChannelsTable,
  DeliveriesTable,
  SilencesTable,
} from './tables/alert-tables';
import type { DeletionCountsTable, DeletionItemsTable, DeletionsTable } from './tables/deletion-tables';
import type { ScheduleRunsTable, SchedulesTable } from './tables/schedule-tables';
import type { TrendPointsTable, TrendScansTable, TrendSeriesTable } from './tables/trend-tables';

export interface InstancesTable {
  id: string;
  name: string;
  /** InstanceSettings as JSON. */
  settings: string;
  /** Sealed by the vault; only `lib/access/credentials` opens it. */
  password: string | null;
  sentinel_password: string | null;
  tls_key: string | null;
  write_password: string | null;
  created_at: ColumnType<number, number, never>;
  updated_at: number;
}

interface InstanceDestinationsTable {
  instance_id: string;
  /** `host:port` as announced, or a range of addresses. */
  address: string;
  /** Name of the person; empty = a scan read it before addresses had to be confirmed. */
  confirmed_by: string;
  confirmed_at: number;
}

interface InstanceNodesTable {
  instance_id: string;
  /** `host:port` in lower case. */
  address: string;
  run_id: string | null;
  /** The address that a replica reports as that of its master, in lower case. */
  master: string | null;
}

export interface JobRowsTable {
  id: string;
  kind: string;
  /** Says what a deletion job does; null = another kind of job. */
  purpose: JobPurpose | null;
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
  /** Increases with every owner. A write that carries an older number is refused. */
  lease_fence: number;
  lease_until: number;
  /** 1 = ended, and its leftovers are not removed yet. */
  discard_pending: number;
  /** JSON; null = never taken over, or it has made progress since. */
  takeovers: string | null;
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
  /** 0 or 1; null means 0. */
  is_part: number | null;
  /** 1 = findings of its instance may be narrowed to what is new since it; at most one of an instance. */
  baseline: Generated<number>;
  file_bytes: number | null;
  score: number | null;
  mandatory_keys: number | null;
  recommended_keys: number | null;
  advice_keys: number | null;
  /** Hash of the policy that these four values were computed under. */
  policy_hash: string | null;
  stored_at: number | null;
  held_by: string | null;
  store_error: string | null;
  /** Number of objects according to the list in the object store, including the list itself; null = unknown. */
  stored_objects: number | null;
  /** 0 or 1; null means 0. */
  pinned: number | null;
}

/** `body` is a shape of lib/model/rules/policy.ts as JSON, here and in the next three tables. */
interface ProfilesTable {
  id: string;
  body: string;
  updated_at: number;
}

interface AssignmentsTable {
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

interface OwnersTable {
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

interface ChecklistTable {
  instance_id: string;
  rule: string;
  body: string;
  updated_at: number;
  updated_by: string;
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
  role: string;
  address: string | null;
  /** Session of a person, or `token` and the id of the API token. */
  session: string | null;
  /** The row that announced the attempt whose outcome this row records; null = none. */
  intent: number | null;
}

interface SettingsTable {
  name: string;
  value: string;
}

/** The processes that share the store. */
interface WorkersTable {
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

/** Work that pages leave to workers (wishes.ts); `wish`, `answer` and `error` are JSON. */
interface WishesTable {
  id: string;
  kind: string;
  snapshot_id: string | null;
  wish: string;
  made_at: number;
  /** Until when its worker serves it; earlier than now = no worker does. */
  claimed_until: number;
  /** How many workers have claimed it. */
  tries: number;
  /** null = it is open. */
  ended_at: number | null;
  answer: string | null;
  error: string | null;
}

/** The progress of workers that prepare snapshots for pages (preparations.ts). */
interface PreparationsTable {
  snapshot_id: string;
  task: Preparation['task'];
  /** 0 to 1. */
  share: number | null;
  /** When the worker last reported it. */
  said_at: number;
}

/** What happened and is not handled yet (events.ts). */
interface EventsTable {
  id: string;
  at: number;
  kind: string;
  instance_id: string | null;
  subject: string;
  /** JSON. */
  details: string;
  /** How often handling it has failed. */
  tries: number;
  /** Not handled before this time. */
  due_at: number;
}

export interface Tables {
  instances: InstancesTable;
  instance_destinations: InstanceDestinationsTable;
  instance_nodes: InstanceNodesTable;
  jobs: JobRowsTable;
  schedules: SchedulesTable;
  schedule_runs: ScheduleRunsTable;
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
  wishes: WishesTable;
  preparations: PreparationsTable;
  events: EventsTable;
  api_tokens: ApiTokensTable;
  trend_series: TrendSeriesTable;
  trend_points: TrendPointsTable;
  trend_scans: TrendScansTable;
  channels: ChannelsTable;
  alert_rules: AlertRulesTable;
  alerts: AlertsTable;
  silences: SilencesTable;
  deliveries: DeliveriesTable;
  migrations: { name: string; at: number };
}
