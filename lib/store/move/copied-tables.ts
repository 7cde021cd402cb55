import type { Tables } from '@/lib/store/tables';

/** Tables to copy, in an order in which a row only refers to rows that were copied before. */
const COPIED: Record<Exclude<keyof Tables, 'migrations' | 'workers' | 'wishes' | 'preparations'>, true> = {
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
  trend_series: true,
  trend_points: true,
  trend_scans: true,
  jobs: true,
  events: true,
  schedules: true,
  schedule_runs: true,
  channels: true,
  alert_rules: true,
  alerts: true,
  silences: true,
  deliveries: true,
  deletions: true,
  deletion_items: true,
  deletion_counts: true,
  audit: true,
};
export type CopiedTable = keyof typeof COPIED;
export const COPIED_TABLES = Object.keys(COPIED) as CopiedTable[];

/** Tables that each database fills itself, or whose rows are valid only for a moment. */
export const UNCOPIED_TABLES = ['migrations', 'deletion_counting', 'workers', 'wishes', 'preparations'];
