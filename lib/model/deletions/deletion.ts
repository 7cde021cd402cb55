import type { Job } from '../job';
import type { Approval } from './approval';
import type { DeletionPlan } from './deletion-plan';
import type { ItemState } from './item-states';
import type { Consent } from './plan-request';

export const DELETION_STATES = ['planned', 'started', 'done', 'cancelled', 'expired'] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/** Elements/s and latency over time for the live page: at most the last 240 points, one a second. */
export interface DeletionPoint {
  at: number;
  removed: number;
  latencyMs: number | null;
  chunk: number | null;
}

/** What stays of the keys of a deletion when nothing can be undone any more. */
export interface DeletionSummary {
  at: number;
  counts: Partial<Record<ItemState, number>>;
  removed: number;
  archiveBytes: number;
}

/** What a page sees. */
export interface Deletion {
  plan: DeletionPlan;
  state: DeletionState;
  /** What has to be agreed to before anything more is removed: of a plan, all; later, what its instance has become. */
  missing: Consent[];
  /** Its instance asks for a second person before it starts, or goes on as what it has become. */
  needsApproval: boolean;
  /** Of this plan as it stands; null = none, or too old. */
  approval: Approval | null;
  /** The job that runs or ran last (delete, undo or purge). */
  job: Job | null;
  action: 'run' | 'undo' | 'purge' | null;
  counts: Partial<Record<ItemState, number>>;
  removedElements: number;
  archiveBytes: number;
  undoable: number;
  undoUntil: number | null;
  /** When the list of its keys was removed, after its undo had ended; null = it is there. */
  itemsRemovedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
}

export interface EmergencyStopState {
  /** Everything stands: POST /api/panic, or the flag file `PANIC` in the data folder. */
  everywhere: boolean;
  since: number | null;
  by: string | null;
  instances: { instanceId: string; since: number; by: string }[];
  /** Its name; it lies in the data folder. */
  flagFile: string;
}
