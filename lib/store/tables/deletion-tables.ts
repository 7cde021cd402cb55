import type { ColumnType } from 'kysely';
import type { DeletionState } from '@/lib/model/deletions/deletion';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionMode, DeletionTask } from '@/lib/model/deletions/plan-request';

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
  /** DeletionSummary as JSON, set when its items are removed. */
  summary: string | null;
  created_at: ColumnType<number, number, never>;
  started_at: number | null;
  ended_at: number | null;
  undo_until: number | null;
  /** ServerIdentity as JSON: the server that answered when the deletion last worked; null = the one in the plan. */
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
  /** JSON: what the engine needs to continue after a crash. */
  journal: string | null;
  reason: string | null;
  removed: number;
  archived: number;
  archive_bytes: number;
  started_at: number | null;
  ended_at: number | null;
  undo_until: number | null;
  /** Elements as progress counts them (a string is one); null = unknown. */
  elements: number | null;
  /** 1 = deleted first, because its expiry would block the server. */
  expires_soon: number;
}

/** Maintained by triggers; see migrations/0001-deletion-tables.ts. */
export interface DeletionCountsTable {
  deletion_id: string;
  state: ItemState;
  /** 0 = none. */
  undo_until: number;
  /** 1 = can be restored at any time, whatever the clock says. */
  returns: number;
  keys: number;
  removed: number;
  archive_bytes: number;
  elements: number;
  lengths_unknown: number;
}
