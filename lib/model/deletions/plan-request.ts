/**
 * Requests for deleting keys and for setting expiries. Both take three steps: a plan only reads, a typed phrase
 * confirms it, a job carries it out.
 */

import { z } from 'zod';
import { KeyFilter } from '../filter';
import { isNarrowing } from '../is-narrowing';
import { DELIMITER, NO_DELIMITER } from '../names/delimiter';
import { SelectedNode } from '../selected-node';

/** delete: keys are deleted. expire: keys get an expiry (TTL repair). */
export const DeletionTask = z.enum(['delete', 'expire']);
export type DeletionTask = z.infer<typeof DeletionTask>;

/** Decides what happens to a key; see docs/DELETION.md. `in_place` only if renaming is denied, with its own consent. */
export const DeletionMode = z.enum(['archive', 'quarantine', 'drain', 'unlink', 'in_place']);
export type DeletionMode = z.infer<typeof DeletionMode>;

/** The keys of a plan, fixed when the plan is made. `filter` is applied to one snapshot; a prefix is a filter. */
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
      /** Nodes of the key tree: only their keys are selected. */
      nodes: z.array(SelectedNode).min(1).max(400).optional(),
      /** The delimiter by which the filter's template is split; `:` by default. */
      delimiter: z.string().min(1).max(4).regex(DELIMITER, NO_DELIMITER).optional(),
      /** Confirms that every key is selected; required if the filter excludes none. */
      all: z.literal(true).optional(),
    })
    .refine(({ filter, all, nodes }) => all || nodes || isNarrowing(filter), {
      path: ['all'],
      message: 'This filter excludes no key. Send all: true if every key of the snapshot is meant.',
    }),
]);
export type Selection = z.infer<typeof Selection>;

/** Consents that a person gives with a separate checkbox, in addition to the phrase. */
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
  /** How long a key can be restored from its archive, hours. */
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
  /** Decides what happens after the quarantine. */
  afterQuarantine: z.enum(['archive', 'drain', 'unlink']).default('archive'),
  /** The length may differ from the plan by this many percent. */
  tolerancePercent: z.number().min(0).max(100).default(10),
  /** Decides what is done with a key that expires within a minute of its turn. */
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
  /** none: only keys without an expiry. all: also replaces existing expiries, to spread those that fall together. */
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

/** Body of POST /api/instances/:id/give-up: the instance's name as the person typed it, and the consent. */
export const GiveUp = z.object({
  confirm: z.string().max(200),
  consents: z
    .array(z.enum(['set_aside_lost']))
    .max(10)
    .default([]),
});
export type GiveUp = z.infer<typeof GiveUp>;
export interface GivenUp {
  /** The number of keys that were given up, and the ids of their deletions. */
  keys: number;
  deletions: string[];
}

/** Body of POST /api/deletions/:id/undo. */
export const UndoRequest = z.object({
  /** Numbers of the items; absent = all that can be undone. */
  items: z.array(z.number().int().min(0)).max(10_000).optional(),
  /** Also restore keys that would have expired meanwhile, without an expiry. */
  restoreExpired: z.boolean().default(false),
});
export type UndoRequest = z.infer<typeof UndoRequest>;
