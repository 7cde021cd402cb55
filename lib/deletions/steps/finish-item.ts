import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { elementsOf, saveItem } from '@/lib/deletions/journal/item-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { ItemPatch, StoredItem } from '@/lib/store/deletions/deletion-items';
import { observedNow } from '@/lib/store/settings/observed-clock';

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/**
 * So many hours from now (of observed time), rounded up: what ends in the same minute (of a short time, second) is
 * counted together, and a million keys have few different ends.
 */
export function endOfTime(hours: number, now: number): number {
  const step = hours < 1 ? SECOND_MS : MINUTE_MS;
  return Math.ceil((now + hours * HOUR_MS) / step) * step;
}

/** The item is gone; with an archive it can come back until retention ends. `now`: of observed time. */
export function donePatch(run: DeletionRun, item: StoredItem, archived: boolean, now: number): ItemPatch {
  const options = run.deletion.plan.options as DeletionOptions;
  return {
    state: 'done',
    endedAt: Date.now(),
    removed: Math.max(item.removed, elementsOf(item)),
    undoUntil: archived ? endOfTime(options.retentionHours, now) : null,
  };
}

export async function finishItem(run: DeletionRun, item: StoredItem, archived: boolean): Promise<void> {
  const patch = donePatch(run, item, archived, await observedNow());
  run.meter.add((patch.removed ?? 0) - item.removed, 1);
  await saveItem(run, item, patch);
}
