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
