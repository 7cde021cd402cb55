import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { ItemPatch, StoredItem } from '@/lib/store/deletions/deletion-items';
import { updateItems } from '@/lib/store/deletions/deletion-items';

/** Returns what is recorded of an item; empty before its first step. */
export const getJournal = (item: StoredItem): ItemJournal => item.journal ?? {};

/** Saves the patch under the lease of the job, and updates the given item with it. */
export async function saveItem(run: DeletionRun, item: StoredItem, patch: ItemPatch): Promise<void> {
  await saveItems(run, [{ item, patch }]);
}

export interface ItemWrite {
  item: StoredItem;
  patch: ItemPatch;
}

/** Saves the state in which an item ends, with the reason. */
export const endItem = (
  run: DeletionRun,
  item: StoredItem,
  state: StoredItem['state'],
  reason: CodedMessage,
): Promise<void> => saveItem(run, item, { state, reason, endedAt: Date.now() });

/** Saves many patches in one transaction, with one sync of the disk. */
export async function saveItems(run: DeletionRun, writes: ItemWrite[]): Promise<void> {
  if (writes.length === 0) return;
  await run.hooks.writeFenced(async (tx) => {
    const rows = writes.map(({ item, patch }) => ({ seq: item.seq, patch: { ...unsavedPatches.get(item), ...patch } }));
    await updateItems(run.deletion.plan.id, rows, tx);
  });
  for (const { item, patch } of writes) {
    Object.assign(item, patch);
    unsavedPatches.delete(item);
  }
}

/** Changes of `noteItem` that are not saved yet. */
const unsavedPatches = new WeakMap<StoredItem, ItemPatch>();

/**
 * Changes an item now and saves the change with the next write of this item. Use it only for what a crash may lose
 * because both names on the server show it too; call `saveNotedPatches` before those names are deleted.
 */
export function noteItem(item: StoredItem, patch: ItemPatch): void {
  unsavedPatches.set(item, { ...unsavedPatches.get(item), ...patch });
  Object.assign(item, patch);
}

/** Saves the noted changes that have not been saved yet. */
export async function saveNotedPatches(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  await saveItems(
    run,
    items.filter((item) => unsavedPatches.has(item)).map((item) => ({ item, patch: {} })),
  );
}

/** How many elements these items count for in the progress; a string is one, whatever its bytes. */
export const countElements = (...items: readonly StoredItem[]): number =>
  items.reduce((sum, item) => {
    const { look } = getJournal(item);
    return sum + (look?.type === 'string' ? 1 : (look?.length ?? 0));
  }, 0);

/**
 * Sends a command whose deadline was written to the journals of these items. After a refusal, and after a stop that was
 * requested before the command or after its answer, no command is on its way any more. The deadline is then removed, so
 * that the next attempt need not wait for it.
 */
export async function clearDeadlineOnRefusal<T>(
  run: DeletionRun,
  items: readonly StoredItem[],
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof WriteFailure && error.kind === 'unknown_outcome'))
      await saveItems(
        run,
        items.map((item) => {
          const { deadline: _, unguarded: __, ...journal } = getJournal(item);
          return { item, patch: { journal } };
        }),
      );
    throw error;
  }
}

export const createCodedMessage = (code: string, params: Record<string, string | number> = {}) => ({ code, params });
