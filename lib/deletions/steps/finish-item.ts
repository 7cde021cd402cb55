import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { countElements, saveItem } from '@/lib/deletions/journal/write-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { ItemPatch, StoredItem } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/**
 * Returns the end of a period of hours from now (ms of observed time), rounded up to a minute, or to a second below one
 * hour: items are counted by their end, and a million keys have few different ends.
 */
export function computeEndTime(hours: number, now: number): number {
  const step = hours < 1 ? SECOND_MS : MINUTE_MS;
  return Math.ceil((now + hours * HOUR_MS) / step) * step;
}

/**
 * Builds the patch of an item whose key is deleted. With an archive it can be restored until the retention ends. `now`:
 * ms of observed time.
 */
export function buildFinishedPatch(
  run: DeletionRun,
  item: StoredItem,
  { isArchived, now }: { isArchived: boolean; now: number },
): ItemPatch {
  const options = run.deletion.plan.options as DeletionOptions;
  return {
    state: 'done',
    endedAt: Date.now(),
    removed: Math.max(item.removed, countElements(item)),
    undoUntil: isArchived ? computeEndTime(options.retentionHours, now) : null,
  };
}

export async function finishItem(
  run: DeletionRun,
  item: StoredItem,
  { isArchived }: { isArchived: boolean },
): Promise<void> {
  const patch = buildFinishedPatch(run, item, { isArchived, now: await readObservedNow() });
  run.meter.addDone((patch.removed ?? 0) - item.removed, 1);
  await saveItem(run, item, patch);
}
