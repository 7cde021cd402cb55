import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { countElements, createCodedMessage, getJournal, saveItems } from '@/lib/deletions/journal/item-journal';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { awaitRestored } from './await-replicas';

/**
 * Waits until the replicas have the keys that got their names again, then journals them as undone and counts them.
 * `elements`: how many are not in the progress yet. `reason`: what of the keys was not restored; null = nothing is
 * missing, except that an expiry beyond the last moment that can be set was set to that moment.
 */
export async function noteRestored(
  run: DeletionRun,
  restored: StoredItem[],
  elements = countElements(...restored),
  reason: CodedMessage | null = null,
): Promise<void> {
  await awaitRestored(run, restored);
  const ended = { state: 'undone', undoUntil: null, endedAt: Date.now() } as const;
  await saveItems(
    run,
    restored.map((item) => {
      const capped = getJournal(item).expireAt === LAST_MOMENT ? createCodedMessage('expiry_capped') : null;
      return { item, patch: { ...ended, reason: reason ?? capped } };
    }),
  );
  run.meter.add(elements, restored.length);
}
