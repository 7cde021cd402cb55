import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { countElements, saveItems } from '@/lib/deletions/journal/item-journal';
import { reportCappedExpiry } from '@/lib/deletions/journal/report-capped-expiry';
import { awaitRestored } from '@/lib/deletions/steps/await-replicas';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** Waits until the replicas have the keys that got their names again, then journals them as undone and counts them. */
export async function noteRestored(run: DeletionRun, restored: StoredItem[]): Promise<void> {
  await awaitRestored(run, restored);
  const ended = { state: 'undone', undoUntil: null, endedAt: Date.now() } as const;
  await saveItems(
    run,
    restored.map((item) => ({ item, patch: { ...ended, reason: reportCappedExpiry(item) } })),
  );
  run.meter.add(countElements(...restored), restored.length);
}
