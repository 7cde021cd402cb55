import type { ValueRules } from '@/lib/model/value-reason';
import type { AcceptedServer, ServerIdentity } from '../servers/server-identity';
import type { CodedMessage } from './coded-message';
import type { Hazard } from './deletion-item';
import type { Consent, DeletionMode, DeletionOptions, DeletionTask, ExpireOptions, Selection } from './plan-request';

/** Plan and deletion are one thing with one id: before the confirmation it is called a plan. */

export interface PlanTotals {
  keys: number;
  elements: number | null;
  bytes: number | null;
  /** Keys of the instance when the plan was made; null = unknown. */
  instanceKeys: number | null;
  byMode: { mode: DeletionMode; keys: number }[];
  byType: { type: string; keys: number }[];
}

/** Both ends are likely to hold what it will be; neither is promised. */
export interface EstimateRange {
  from: number;
  to: number;
}

export interface PlanEstimate {
  seconds: EstimateRange | null;
  serverMs: EstimateRange | null;
  replicationBytes: EstimateRange | null;
  archiveBytes: EstimateRange | null;
  /** What the ranges lie around: as long as it would take on the servers that were measured once. null = unknown. */
  reference: { seconds: number; serverMs: number } | null;
  /** How many deletions of this instance told how fast its servers are; 0 = none has. */
  measuredOn: number;
}

export interface DeletionPlan {
  id: string;
  task: DeletionTask;
  instanceId: string;
  instanceName: string;
  production: boolean;
  /** How reading values was restricted then; absent in plans from before this was noted. Archives keep to it. */
  values?: ValueRules;
  selection: Selection;
  options: DeletionOptions | ExpireOptions;
  createdAt: number;
  createdBy: string;
  /** Absent in plans made before this was noted. */
  createdById?: string;
  /** The server that was looked at; absent in plans made before this was noted. */
  server?: ServerIdentity;
  /** That a person has accepted another server since, last; absent = nobody has. */
  accepted?: AcceptedServer;
  /** When the snapshot was taken that the selection comes from, epoch ms; null = none, absent = not noted. */
  snapshotAt?: number | null;
  /** When the keys were last looked at; older than 15 minutes: looked at again before it starts. */
  lookedAt: number;
  totals: PlanTotals;
  estimate: PlanEstimate;
  /** What the same keys would cost in each way that can be chosen; absent in plans made before this was given. */
  prices?: ({ mode: DeletionMode } & PlanEstimate)[];
  /** The commands that will be sent, with <placeholders>. */
  commands: string[];
  /** What clients will notice. */
  notices: CodedMessage[];
  hazards: { hazard: Hazard; keys: number; bytes: number | null }[];
  /** Keys of the selection that are excluded, and why: protected, gone, module, name too long… */
  excluded: { reason: CodedMessage; keys: number; examples: string[] }[];
  consents: Consent[];
  /**
   * Its server was called lost: it holds its instance no more. Absent = it was not, or the server was registered again.
   */
  givenUp?: { at: number; by: string };
  /**
   * An instance at another address has claimed it, by the word of a server alone. Absent = it was not, or an
   * administrator of all instances has accepted the server since, or it was claimed before that was noted.
   */
  claimedElsewhere?: true;
  /** What was agreed to when it was confirmed, and since; absent before. */
  agreed?: Consent[];
  /** The patterns of protected names that it was made under; absent = none. */
  protect?: string[];
  /** Since when another list of keys is taking the place of this one, epoch ms: until then it cannot be confirmed. */
  replacing?: number;
  /** What must be typed: the instance's name. */
  phrase: string;
  /** expire: histogram of expiries before and after, 24 buckets. */
  expiries: { from: number; to: number; before: number; after: number }[] | null;
}
