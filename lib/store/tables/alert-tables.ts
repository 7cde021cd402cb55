import type { ColumnType } from 'kysely';
import type { AlertState, DeliveryState } from '@/lib/model/alerts/alert';
import type { AlertKind, ChannelKind, Metric, Severity } from '@/lib/model/alerts/vocabulary';

export interface ChannelsTable {
  id: string;
  name: string;
  kind: ChannelKind;
  /** ChannelInput without its secrets, as JSON. */
  body: string;
  /** Sealed by the vault, and so are the next two. */
  url: string | null;
  secret: string | null;
  previous_secret: string | null;
  /** Until when requests are signed with the previous secret too. */
  previous_until: number | null;
  shown_url: string | null;
  shown_secret: string | null;
  /** Hash of the address; channels with the same one share its limit of messages. */
  target: string;
  created_at: ColumnType<number, number, never>;
  updated_at: number;
  failing_since: number | null;
  last_sent_at: number | null;
  last_error: string | null;
  /** When an Alertmanager was last sent what is firing. */
  refreshed_at: number;
}

export interface AlertRulesTable {
  id: string;
  instance_id: string | null;
  /** AlertRuleInput as JSON. */
  body: string;
  updated_at: number;
  updated_by: string;
}

export interface AlertsTable {
  id: string;
  fingerprint: string;
  rule_id: string;
  rule_name: string;
  kind: AlertKind;
  metric: Metric | null;
  severity: Severity;
  instance_id: string | null;
  instance_name: string | null;
  subject: string;
  team: string | null;
  state: AlertState;
  /** AlertFacts as JSON. */
  facts: string;
  /** Snapshots in a row that were bad, and good. */
  bad: number;
  good: number;
  /** The snapshot that was judged last. */
  snapshot_id: string | null;
  since: number;
  fired_at: number | null;
  resolved_at: number | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  /** When its state was last put into a message; null = never. */
  queued_at: number | null;
}

export interface SilencesTable {
  id: string;
  instance_id: string | null;
  /** SilenceInput as JSON. */
  body: string;
  author: string;
  created_at: number;
  ends_at: number;
}

export interface DeliveriesTable {
  id: string;
  channel_id: string;
  team: string | null;
  reason: 'alerts' | 'repeat' | 'test' | 'failedChannel';
  state: DeliveryState;
  /** DeliveryItem[] as JSON. */
  items: string;
  item_count: number;
  tries: number;
  created_at: number;
  due_at: number;
  /** Until when a process sends it. */
  leased_until: number;
  tried_at: number | null;
  sent_at: number | null;
  last_code: string | null;
  last_text: string | null;
}
