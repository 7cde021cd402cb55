import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { awaitRestored } from '@/lib/deletions/steps/await-replicas';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key is back under its name. `reason`: what did not come with it. */
export async function endUndone(
  run: DeletionRun,
  item: StoredItem,
  elements: number,
  reason: CodedMessage | null = null,
): Promise<void> {
  await awaitRestored(run, [item]);
  run.meter.add(elements, 1);
  await saveItem(run, item, {
    state: 'undone',
    reason: reason ?? expiryCapped(item),
    undoUntil: null,
    endedAt: Date.now(),
  });
}

/** What it did not get back as it was: an expiry beyond the last moment that can be kept. */
export const expiryCapped = (item: StoredItem): CodedMessage | null =>
  journalOf(item).expireAt === LAST_MOMENT ? codedMessage('expiry_capped') : null;

/** It stays where it was, and says why. What would come back in part is a person's to decide. */
export async function endRefused(
  run: DeletionRun,
  item: StoredItem,
  before: StoredItem['state'],
  reason: CodedMessage,
): Promise<void> {
  const { renaming: _, deadline: __, ...journal } = journalOf(item);
  const state = reason.code === 'count_short' ? 'needs_review' : before;
  await saveItem(run, item, { state, reason, journal });
}
