import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { countElements, createCodedMessage, getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { awaitReplicatedRestores } from './await-replicas';

/**
 * Waits until the replicas have the keys that got their names again, then journals them as undone and counts them.
 * `elements`: how many are not in the progress yet. `reason`: the part of the keys that was not restored; null =
 * nothing is missing, except that an expiry after the last moment that can be set was set to that moment.
 */
export async function recordRestored(
  run: DeletionRun,
  restored: StoredItem[],
  elements = countElements(...restored),
  reason: CodedMessage | null = null,
): Promise<void> {
  await awaitReplicatedRestores(run, restored);
  const ending = { state: 'undone', undoUntil: null, endedAt: Date.now() } as const;
  await saveItems(
    run,
    restored.map((item) => {
      const cappedReason = getJournal(item).expireAt === LAST_MOMENT ? createCodedMessage('expiry_capped') : null;
      return { item, patch: { ...ending, reason: reason ?? cappedReason } };
    }),
  );
  run.meter.addDone(elements, restored.length);
}
