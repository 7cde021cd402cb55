import type { ValueReadSettings } from '@/lib/model/value-reason';
import type { AcceptedServer, ServerIdentity } from '../servers/server-identity';
import type { CodedMessage } from './coded-message';
import type { Hazard } from './deletion-item';
import type { Consent, DeletionMode, DeletionOptions, DeletionTask, ExpireOptions, Selection } from './plan-request';

export interface PlanTotals {
  keys: number;
  elements: number | null;
  bytes: number | null;
  /** Keys of the instance when the plan was made; null = unknown. */
  instanceKeys: number | null;
  byMode: { mode: DeletionMode; keys: number }[];
  byType: { type: string; keys: number }[];
}

/** The actual figure will probably be within the range; neither end is guaranteed. */
export interface EstimateRange {
  from: number;
  to: number;
}

export interface PlanEstimate {
  seconds: EstimateRange | null;
  serverMs: EstimateRange | null;
  replicationBytes: EstimateRange | null;
  archiveBytes: EstimateRange | null;
  /** The value in the middle of the ranges: the cost on the servers that were used for measurements. null = unknown. */
  reference: { seconds: number; serverMs: number } | null;
  /** How many deletions of this instance contributed measured speeds; 0 = none. */
  measuredOn: number;
}

/** A plan and a deletion are one object with one id: before the confirmation it is called a plan. */
export interface DeletionPlan {
  id: string;
  task: DeletionTask;
  instanceId: string;
  instanceName: string;
  production: boolean;
  /** How reading values was restricted when the plan was made; archives obey it. */
  values: ValueReadSettings;
  selection: Selection;
  options: DeletionOptions | ExpireOptions;
  createdAt: number;
  createdBy: string;
  createdById: string;
  /** The server that was read for the plan. */
  server: ServerIdentity;
  /** The last other server that a person has accepted for the plan; absent = none. */
  accepted?: AcceptedServer;
  /** When the snapshot of the selection was taken, epoch ms; null = no snapshot. */
  snapshotAt: number | null;
  /** When the keys were last read, epoch ms; after 15 minutes they are read again before the deletion starts. */
  lookedAt: number;
  totals: PlanTotals;
  estimate: PlanEstimate;
  /** The estimate for each mode that can be chosen for these keys; empty for expiries. */
  prices: ({ mode: DeletionMode } & PlanEstimate)[];
  /** The commands that will be sent, with <placeholders>. */
  commands: string[];
  /** Says what clients will notice. */
  notices: CodedMessage[];
  hazards: { hazard: Hazard; keys: number; bytes: number | null }[];
  /** Keys of the selection that are excluded, and why: protected, gone, module, name too long… */
  excluded: { reason: CodedMessage; keys: number; examples: string[] }[];
  consents: Consent[];
  /**
   * Set when a person declared the server lost, so that the deletion no longer keeps its instance. Absent = this was
   * not done, or the server was registered again.
   */
  givenUp?: { at: number; by: string };
  /**
   * Set when an instance at another address has claimed this plan on a server's word alone. Absent = this did not
   * happen, or an administrator of all instances has accepted the server since.
   */
  claimedElsewhere?: true;
  /** Records what was agreed to at and since the confirmation; it is absent before. */
  agreed?: Consent[];
  /** The patterns of protected names when the plan was made; absent = none. */
  protect?: string[];
  /**
   * Since when another list of keys is being prepared to replace this one, epoch ms. Meanwhile the plan cannot be
   * confirmed.
   */
  replacing?: number;
  /** The text that must be typed: the instance's name. */
  phrase: string;
  /** expire: histogram of expiries before and after, 24 buckets. */
  expiries: { from: number; to: number; before: number; after: number }[] | null;
}
