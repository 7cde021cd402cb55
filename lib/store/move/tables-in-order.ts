import type { Tables } from '@/lib/store/tables';

/** What is copied, in an order in which no row names one that is not there yet. */
const COPIED: Record<Exclude<keyof Tables, 'migrations' | 'workers'>, true> = {
  settings: true,
  instances: true,
  instance_destinations: true,
  instance_nodes: true,
  profiles: true,
  assignments: true,
  exemptions: true,
  owners: true,
  checklist: true,
  saved_views: true,
  users: true,
  grants: true,
  teams: true,
  team_members: true,
  team_grants: true,
  identities: true,
  sessions: true,
  sign_in_attempts: true,
  one_time_links: true,
  api_tokens: true,
  snapshots: true,
  jobs: true,
  deletions: true,
  deletion_items: true,
  deletion_counts: true,
  audit: true,
};
export type CopiedTable = keyof typeof COPIED;
export const COPIED_TABLES = Object.keys(COPIED) as CopiedTable[];

/** Of SQLite's and our own bookkeeping: each database makes its own. */
export const OWN_OF_EACH = ['migrations', 'deletion_counting', 'sqlite_sequence', 'workers'];
