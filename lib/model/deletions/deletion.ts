import type { Job } from '../job';
import type { Approval } from './approval';
import type { DeletionPlan } from './deletion-plan';
import type { ItemState } from './item-states';
import type { Consent } from './plan-request';

const DELETION_STATES = ['planned', 'started', 'done', 'cancelled', 'expired'] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/**
 * Removed elements, latency in ms and chunk size over time, for the live page: at most the last 240 points, one a
 * second.
 */
export interface DeletionPoint {
  at: number;
  removed: number;
  latencyMs: number | null;
  chunk: number | null;
}

/** The record that is kept of the keys of a deletion once nothing can be undone any more. */
export interface DeletionSummary {
  at: number;
  counts: Partial<Record<ItemState, number>>;
  removed: number;
  archiveBytes: number;
}

/** A deletion as pages and the API show it. */
export interface Deletion {
  plan: DeletionPlan;
  state: DeletionState;
  /**
   * Consents that are missing before anything more is removed: for a plan all of them, later those that its instance
   * requires since.
   */
  missing: Consent[];
  /** Whether an approval is required before it starts or continues. */
  needsApproval: boolean;
  /** The approval of the plan as it is now; null = none, or expired. */
  approval: Approval | null;
  /** The job that is running or ran last (delete, undo or purge). */
  job: Job | null;
  action: 'run' | 'undo' | 'purge' | null;
  counts: Partial<Record<ItemState, number>>;
  removedElements: number;
  archiveBytes: number;
  undoable: number;
  undoUntil: number | null;
  /** When the list of its keys was removed after the undo period, epoch ms; null = the list still exists. */
  itemsRemovedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
}

export interface EmergencyStopState {
  /** All writes are stopped: by POST /api/panic, or by the flag file `PANIC` in the data folder. */
  everywhere: boolean;
  since: number | null;
  by: string | null;
  instances: { instanceId: string; since: number; by: string }[];
  /** The name of the flag file, which is in the data folder. */
  flagFile: string;
}
