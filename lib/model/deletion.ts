import { z } from 'zod';
import { KeyFilter, narrows, numeric } from './filter';
import type { Job } from './job';
import type { AcceptedServer, ServerIdentity } from './server-identity';

/**
 * Removing keys, and giving keys an expiry, in three words: a plan looks only, a typed phrase confirms it, a job acts.
 * Plan and deletion are one thing with one id: before the confirmation it is called a plan. One file, because what is
 * asked, what is planned and what is reported of it are the same few shapes, read together by all who touch a deletion.
 */

/** delete: keys go. expire: keys get an expiry (TTL repair). */
export const DeletionTask = z.enum(['delete', 'expire']);
export type DeletionTask = z.infer<typeof DeletionTask>;

/** What happens to a key; see docs/DELETION.md. `in_place` only where renaming is denied, with a consent of its own. */
export const DeletionMode = z.enum(['archive', 'quarantine', 'drain', 'unlink', 'in_place']);
export type DeletionMode = z.infer<typeof DeletionMode>;

/** Frozen when the plan is made. `filter` is asked of one snapshot; a prefix is a filter. */
export const Selection = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('keys'),
    keys: z
      .array(z.object({ k: z.string().min(1).max(1_500_000), db: z.number().int().min(0).default(0) }))
      .min(1)
      .max(1000),
    snapshotId: z.string().max(64).nullish(),
  }),
  z
    .object({
      by: z.literal('filter'),
      snapshotId: z.string().min(1).max(64),
      filter: KeyFilter,
      /** By which the filter's template is cut; `:` unless given. */
      delimiter: z.string().min(1).max(4).optional(),
      /** Every key is meant: asked for where the filter leaves none out. */
      all: z.literal(true).optional(),
    })
    .refine(({ filter, all }) => all || narrows(filter), {
      path: ['all'],
      message: 'This filter leaves out no key. Send all: true if every key of the snapshot is meant.',
    }),
]);
export type Selection = z.infer<typeof Selection>;

/** What a person has to agree to by a tick of its own, beside the phrase. */
export const Consent = z.enum([
  'no_undo',
  'in_place',
  'huge_string',
  'unlink_blocks',
  'module',
  'production',
  'short_expiry',
  'blocking_expiry',
]);
export type Consent = z.infer<typeof Consent>;

export const DeletionOptions = z.object({
  mode: DeletionMode.default('archive'),
  speed: z.enum(['gentle', 'balanced', 'fast']).default('gentle'),
  /** How long an archive can bring the key back, hours. */
  retentionHours: z
    .number()
    .int()
    .min(1)
    .max(24 * 365)
    .default(24 * 7),
  /** How long a quarantined key waits before it is drained, hours. */
  quarantineHours: z
    .number()
    .min(0.01)
    .max(24 * 30)
    .default(24),
  /** What follows the quarantine. */
  afterQuarantine: z.enum(['archive', 'drain', 'unlink']).default('archive'),
  /** The length may differ from the plan by this much, percent. */
  tolerancePercent: z.number().min(0).max(100).default(10),
  /** A key that expires within a minute while lazy expiry is off. */
  onExpiring: z.enum(['defuse', 'skip']).default('defuse'),
  /** Module types that may be unlinked. */
  moduleTypes: z.array(z.string().min(1).max(64)).max(20).default([]),
});
export type DeletionOptions = z.infer<typeof DeletionOptions>;

export const ExpireOptions = z.object({
  speed: z.enum(['gentle', 'balanced', 'fast']).default('gentle'),
  /** The earliest expiry, seconds from the start. */
  fromSeconds: z
    .number()
    .int()
    .min(60)
    .max(10 * 365 * 86_400),
  /** Expiries are spread evenly over this window after `fromSeconds`, seconds. */
  windowSeconds: z
    .number()
    .int()
    .min(0)
    .max(10 * 365 * 86_400),
  /** none: only keys without an expiry. all: also replaces expiries, to break up a storm. */
  only: z.enum(['none', 'all']).default('none'),
});
export type ExpireOptions = z.infer<typeof ExpireOptions>;

/** Body of POST /api/deletions/plans. */
export const PlanRequest = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('delete'),
    instanceId: z.string().min(1).max(64),
    selection: Selection,
    options: DeletionOptions.prefault({}),
  }),
  z.object({
    task: z.literal('expire'),
    instanceId: z.string().min(1).max(64),
    selection: Selection,
    options: ExpireOptions,
  }),
]);
export type PlanRequest = z.infer<typeof PlanRequest>;

/** Body of POST /api/deletions: the phrase as the person typed it, and the consents ticked. */
export const Confirmation = z.object({
  planId: z.string().min(1).max(64),
  confirm: z.string().max(200),
  consents: z.array(Consent).max(10).default([]),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** Body of POST /api/instances/:id/give-up: its name as the person typed it, and the consent. */
export const GiveUp = z.object({
  confirm: z.string().max(200),
  consents: z
    .array(z.enum(['set_aside_lost']))
    .max(10)
    .default([]),
});
export type GiveUp = z.infer<typeof GiveUp>;
export interface GivenUp {
  /** Keys and deletions that were given up. */
  keys: number;
  deletions: string[];
}

/** Body of POST /api/deletions/:id/undo. */
export const UndoRequest = z.object({
  /** Numbers of items; absent = all that can be undone. */
  items: z.array(z.number().int().min(0)).max(10_000).optional(),
  /** Bring back also what would have expired meanwhile, without an expiry. */
  restoreExpired: z.boolean().default(false),
});
export type UndoRequest = z.infer<typeof UndoRequest>;

/**
 * planned → tombstoned → (quarantined) → draining → done → undone. `aborted`: not what the plan saw, nothing was
 * changed. `needs_review`: a person must look (tombstone gone while the original is there). `given_up`: begun, on a
 * server that a person has called lost; should it answer again, it can still be undone. Nothing is repeated blindly.
 */
export const ITEM_STATES = [
  'planned',
  'tombstoned',
  'quarantined',
  'draining',
  'done',
  'restoring',
  'undone',
  'skipped',
  'aborted',
  'needs_review',
  'vanished',
  'failed',
  'given_up',
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** A code below `deletion.reasons.*` in messages, with what its sentence needs. */
export interface CodedMessage {
  code: string;
  params: Record<string, string | number>;
}

export const HAZARDS = [
  /** Expires in less than a minute. */
  'expires_soon',
  /** A logically expired bigkey would be freed at once by whoever touches it: lazy expiry is off. */
  'expiry_blocks',
  /** Idle for less than a minute: someone uses it now. */
  'in_use',
  'stream_groups',
  'module_type',
  /** UNLINK of a string frees it at once: 41–90 ms at 512 MB. */
  'huge_string',
  /** At most 64 elements, or one allocation: UNLINK frees them in the main thread, some 0.06 ms per MiB. */
  'unlink_blocks',
  /**
   * Compact, above 8 MiB, and without places to read a part from: its copy comes in one reply, at least 0.1 ms per MiB.
   */
  'whole_reply',
  'no_copy',
  'unknown_facts',
  /** Neither counted nor weighed: what is there later cannot be distinguished from what was planned. */
  'unknown_size',
  /** It would get an expiry of minutes: too soon for a person to take it back. */
  'short_expiry',
  /** Its expiry frees all of it at once, in the main thread. */
  'blocking_expiry',
] as const;
export type Hazard = (typeof HAZARDS)[number];

export interface DeletionItem {
  seq: number;
  k: string;
  /** Display form. */
  name: string;
  nameBytes: number;
  db: number;
  address: string;
  slot: number;
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
  /** Epoch ms; null = none or (with expiryKnown false) unknown. */
  expireAt: number | null;
  expiryKnown: boolean;
  idleSeconds: number | null;
  mode: DeletionMode | null;
  /** Why this mode; null = as chosen. */
  modeReason: CodedMessage | null;
  hazards: Hazard[];
  state: ItemState;
  reason: CodedMessage | null;
  /** Elements removed so far, of `length`. */
  removed: number;
  archivedElements: number;
  archiveBytes: number;
  /** expire: what the key got. */
  newExpireAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  /** Until when it can be undone; null = it cannot. */
  undoUntil: number | null;
}

export interface PlanTotals {
  keys: number;
  elements: number | null;
  bytes: number | null;
  /** Keys of the instance when the plan was made; null = unknown. */
  instanceKeys: number | null;
  byMode: { mode: DeletionMode; keys: number }[];
  byType: { type: string; keys: number }[];
}

export interface PlanEstimate {
  seconds: number | null;
  serverMs: number | null;
  replicationBytes: number | null;
  archiveBytes: number | null;
}

export interface DeletionPlan {
  id: string;
  task: DeletionTask;
  instanceId: string;
  instanceName: string;
  production: boolean;
  selection: Selection;
  options: DeletionOptions | ExpireOptions;
  createdAt: number;
  createdBy: string;
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
  /** Keys of the selection that are left out, and why: protected, gone, module, name too long… */
  leftOut: { reason: CodedMessage; keys: number; examples: string[] }[];
  consents: Consent[];
  /**
   * Its server was called lost: it holds its instance no more. Absent = it was not, or the server was registered again.
   */
  givenUp?: { at: number; by: string };
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

/** GET /api/deletions/:id/items */
export const ItemQuery = z.object({
  state: z.enum(ITEM_STATES).optional(),
  limit: numeric(z.number().int().min(1).max(500)).default(100),
  cursor: z.string().max(200).optional(),
});
export type ItemQuery = z.infer<typeof ItemQuery>;
export interface ItemPage {
  items: DeletionItem[];
  nextCursor: string | null;
  total: number;
}

/**
 * A key of Colonnade on a server that no deletion knows any more, or whose deletion has ended. Shown, never removed by
 * itself.
 */
export interface Leftover {
  k: string;
  name: string;
  db: number;
  address: string;
  kind: 'tombstone' | 'restore';
  deletionId: string | null;
  seq: number | null;
  type: string | null;
  bytes: number | null;
  /** The deletion is known and unfinished: not a leftover but work in progress. */
  owned: boolean;
  /** Its name before, where the journal knows it. */
  original: string | null;
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
