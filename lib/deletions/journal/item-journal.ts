import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { ItemPatch, StoredItem } from '@/lib/store/deletions/deletion-items';
import { updateItems } from '@/lib/store/deletions/deletion-items';

export const journalOf = (item: StoredItem): ItemJournal => item.journal ?? {};

/** Writes the item under the lease of the job, and what was written into the item at hand. */
export async function saveItem(run: DeletionRun, item: StoredItem, patch: ItemPatch): Promise<void> {
  await saveItems(run, [{ item, patch }]);
}

/** Many at once: one transaction, one sync of the disk. */
export async function saveItems(run: DeletionRun, writes: { item: StoredItem; patch: ItemPatch }[]): Promise<void> {
  if (writes.length === 0) return;
  await run.hooks.fenced(async (tx) => {
    const rows = writes.map(({ item, patch }) => ({ seq: item.seq, patch: { ...noted.get(item), ...patch } }));
    await updateItems(run.deletion.plan.id, rows, tx);
  });
  for (const { item, patch } of writes) {
    Object.assign(item, patch);
    noted.delete(item);
  }
}

const noted = new WeakMap<StoredItem, ItemPatch>();

/**
 * What the next write of this item carries with it. Only for what a crash may forget because both names on the server
 * tell it too: `saveNoted` before anything takes them away.
 */
export function noteItem(item: StoredItem, patch: ItemPatch): void {
  noted.set(item, { ...noted.get(item), ...patch });
  Object.assign(item, patch);
}

/** Writes what was noted and has not been written. */
export async function saveNoted(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  await saveItems(
    run,
    items.filter((item) => noted.has(item)).map((item) => ({ item, patch: {} })),
  );
}

/** Elements of an item as its progress counts them; a string is one, whatever its bytes. */
export const elementsOf = (item: StoredItem): number => {
  const { look } = journalOf(item);
  return look?.type === 'string' ? 1 : (look?.length ?? 0);
};

/**
 * Runs what was announced in the journals of these items with a deadline. A refusal is an answer too: nothing is on its
 * way any more, and nobody needs to wait for that moment.
 */
export async function clearDeadlineOnRefusal<T>(
  run: DeletionRun,
  items: readonly StoredItem[],
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof WriteFailure && error.kind !== 'unknown_outcome')
      await saveItems(
        run,
        items.map((item) => {
          const { deadline: _, unguarded: __, ...journal } = journalOf(item);
          return { item, patch: { journal } };
        }),
      );
    throw error;
  }
}

export const codedMessage = (code: string, params: Record<string, string | number> = {}) => ({ code, params });
