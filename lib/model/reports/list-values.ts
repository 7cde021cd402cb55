/**
 * The values by which lists are sorted, under the ids of their columns. The tables of the pages and the files of the
 * lists both use them, so that they have the same order.
 */

import type { User } from '../accounts/accounts';
import type { Team } from '../accounts/teams';
import { userState } from '../accounts/user-state';
import type { Deletion } from '../deletions/deletion';
import type { DeletionPlan } from '../deletions/deletion-plan';
import { type Leftover, leftoverState } from '../deletions/leftovers';
import type { Job, Progress } from '../job';
import type { Profile } from '../rules/policy';
import { instancesOfProfile, rulesOfStrength } from '../rules/profile-facts';
import type { FleetRow, SnapshotSummary } from './fleet';
import { noExpiryShare } from './fleet-filter';
import type { SortValues } from './table-order';

export const FLEET_VALUES = {
  name: (row) => row.instance.name,
  topology: (row) => row.instance.topology,
  keys: (row) => row.latest?.keys,
  memory: (row) => row.latest?.bytes,
  score: (row) => row.score,
  mandatory: (row) => row.findings?.mandatory,
  bigkeys: (row) => row.latest?.bigkeys,
  noExpiry: noExpiryShare,
  lastScan: (row) => row.latest?.startedAt,
} satisfies SortValues<FleetRow>;

export const JOB_VALUES = {
  job: (job) => job.instanceName ?? job.kind,
  state: (job) => job.state,
  keys: (job) => job.progress?.done,
  started: (job) => job.startedAt ?? job.createdAt,
  by: (job) => job.actor,
} satisfies SortValues<Job>;

export const JOB_NODE_VALUES = {
  node: ({ address }) => address,
  db: ({ db }) => db,
  state: ({ state }) => state,
  /** null = the number of keys is unknown. */
  progress: ({ state, done, total }) => (state === 'done' ? 1 : total ? done / total : null),
  keys: ({ done }) => done,
  latency: ({ latencyMs }) => latencyMs,
} satisfies SortValues<Progress['nodes'][number]>;

export const DELETION_VALUES = {
  what: ({ plan }) => plan.totals.keys,
  state: ({ state }) => state,
  removed: ({ removedElements }) => removedElements,
  undo: ({ undoable, undoUntil }) => (undoable > 0 ? undoUntil : null),
  who: ({ plan }) => plan.createdBy,
  when: ({ plan }) => plan.createdAt,
} satisfies SortValues<Deletion>;

export const PRICE_VALUES = {
  time: ({ seconds }) => seconds?.to ?? null,
  load: ({ serverMs }) => serverMs?.to ?? null,
  replication: ({ replicationBytes }) => replicationBytes?.to ?? null,
  archive: ({ archiveBytes }) => archiveBytes?.to ?? null,
} satisfies SortValues<NonNullable<DeletionPlan['prices']>[number]>;

export const LEFTOVER_VALUES = {
  name: ({ name }) => name,
  bytes: ({ bytes }) => bytes,
  state: leftoverState,
} satisfies SortValues<Leftover>;

/** The duration in ms; null = the scan has not ended. */
const snapshotMs = ({ startedAt, endedAt }: SnapshotSummary) => (endedAt === null ? null : endedAt - startedAt);

export const SNAPSHOT_VALUES = {
  started: (row) => row.startedAt,
  state: (row) => row.state,
  took: snapshotMs,
  keys: (row) => row.keys,
  memory: (row) => row.bytes,
  bigkeys: (row) => row.bigkeys,
  file: (row) => row.fileBytes,
} satisfies SortValues<SnapshotSummary>;

export const USER_VALUES = {
  name: (user) => user.name,
  role: (user) => user.role,
  state: userState,
  last: (user) => user.lastSignInAt,
} satisfies SortValues<User>;

export const TEAM_VALUES = { name: (team) => team.name } satisfies SortValues<Team>;

export const PROFILE_VALUES = {
  name: ({ body }) => body.name,
  mandatory: (profile) => rulesOfStrength(profile, 'mandatory'),
  recommended: (profile) => rulesOfStrength(profile, 'recommended'),
  advice: (profile) => rulesOfStrength(profile, 'advice'),
  usedBy: instancesOfProfile,
} satisfies SortValues<Profile>;
