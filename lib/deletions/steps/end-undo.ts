import type { Work } from '@/lib/deletions/executor/deletion-run';
import { journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import type { Told } from '@/lib/model/deletion';
import type { StoredItem } from '@/lib/store/deletion-items';
import { awaitReturn } from './await-replicas';

/** A key is back under its name. `reason`: what did not come with it. */
export async function endUndone(
  work: Work,
  item: StoredItem,
  elements: number,
  reason: Told | null = null,
): Promise<void> {
  await awaitReturn(work, [item]);
  work.meter.add(elements, 1);
  await saveItem(work, item, { state: 'undone', reason, undoUntil: null, endedAt: Date.now() });
}

/** It stays where it was, and says why. What would come back in part is a person's to decide. */
export async function endRefused(
  work: Work,
  item: StoredItem,
  before: StoredItem['state'],
  reason: Told,
): Promise<void> {
  const { renaming: _, deadline: __, ...journal } = journalOf(item);
  const state = reason.code === 'count_short' ? 'needs_review' : before;
  await saveItem(work, item, { state, reason, journal });
}
