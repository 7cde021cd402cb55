import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { getJournal } from './write-journal';

/** States of an item that still needs its internal names, or may need them again. */
export const UNFINISHED_STATES = new Set<StoredItem['state']>([
  'planned',
  'tombstoned',
  'quarantined',
  'draining',
  'restoring',
  'needs_review',
  'given_up',
]);

/** Whether the key was to be renamed and has not ended, so that its tombstone may be on a server. */
export const mayHaveTombstone = (item: StoredItem): boolean =>
  item.mode !== null && getJournal(item).intent === true && UNFINISHED_STATES.has(item.state);
