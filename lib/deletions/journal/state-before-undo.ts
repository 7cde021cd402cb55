import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { getJournal } from './item-journal';

/**
 * The state of an item before this undo. For an item that was given up it is the state before that, because its server
 * answers again.
 */
export function getStateBeforeUndo(item: StoredItem): StoredItem['state'] {
  const { before = 'done', gaveUp = 'needs_review' } = getJournal(item);
  const was = item.state === 'given_up' ? gaveUp : item.state;
  if (was === 'planned') return 'needs_review';
  return was === 'restoring' ? before : was;
}
