import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { journalOf } from './item-journal';

/** As it stood before this undo; of what was given up, before that: its server answers again. */
export function stateBefore(item: StoredItem): StoredItem['state'] {
  const { before = 'done', gaveUp = 'needs_review' } = journalOf(item);
  const was = item.state === 'given_up' ? gaveUp : item.state;
  if (was === 'planned') return 'needs_review';
  return was === 'restoring' ? before : was;
}
