/**
 * The usual order is planned → tombstoned → (quarantined) → draining → done → undone. `aborted`: the key is not what
 * the plan saw, nothing was changed. `needs_review`: a person must check it (the tombstone is gone while the original
 * exists). `given_up`: started on a server that a person has declared lost; if that server answers again, it can still
 * be undone. No step is repeated without checking first.
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
