import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
import { reportCappedExpiry } from '@/lib/deletions/journal/report-capped-expiry';
import { awaitRestored } from '@/lib/deletions/steps/await-replicas';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** Finishes an item whose key is restored. `reason` = what of it was not restored; null = nothing is missing. */
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
    reason: reason ?? reportCappedExpiry(item),
    undoUntil: null,
    endedAt: Date.now(),
  });
}

/** The item gets its earlier state and the reason. If the key could be restored only in part, a person decides. */
export async function endRefused(
  run: DeletionRun,
  item: StoredItem,
  before: StoredItem['state'],
  reason: CodedMessage,
): Promise<void> {
  const { renaming: _, deadline: __, ...journal } = getJournal(item);
  const state = reason.code === 'count_short' ? 'needs_review' : before;
  await saveItem(run, item, { state, reason, journal });
}
