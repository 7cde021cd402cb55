import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { getJournal, saveItems } from '@/lib/deletions/journal/item-journal';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { renameBackAll } from '@/lib/redis/write/rename-back';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { noteRestored } from './note-restored';

/** Whether a key was renamed and nothing of it was copied or deleted: one rename restores it, whatever its size. */
export const isRestoredInBatch = (item: StoredItem): boolean => {
  const { look, archives = [], position } = getJournal(item);
  const waits = item.state === 'quarantined' || item.state === 'tombstoned';
  return waits && item.mode !== 'in_place' && look != null && archives.length === 0 && position === undefined;
};

/**
 * Renames many keys of one node and database, which are tombstoned whole, to their original names in one write, and
 * journals them together. A key that was not clearly restored keeps its state and is handled on its own later, which
 * reports the reason.
 */
export async function restoreBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const executor = run.executors.at(first.slot);
  const channel = await executor.openUnpaced(first.db);
  await executor.rest();
  const before = new Map(items.map((item) => [item, item.state]));
  const all = items.map((item) => ({
    tombstone: buildTombstoneName(item),
    name: item.name,
    expireAt: getJournal(item).expireAt ?? null,
  }));
  const outcomes = await renameBackAll(channel, all, (deadline) =>
    saveItems(
      run,
      items.map((item) => {
        const journal = { ...getJournal(item), before: before.get(item), renaming: 'home' as const };
        return { item, patch: { state: 'restoring', journal: { ...journal, ...(deadline !== null && { deadline }) } } };
      }),
    ),
  );
  const renamed = items.filter((_, index) => outcomes[index] === 'renamed');
  const back = new Set(renamed);
  await saveItems(
    run,
    items
      .filter((item) => !back.has(item))
      .map((item) => {
        const { renaming: _, deadline: __, ...journal } = getJournal(item);
        return { item, patch: { state: before.get(item), journal } };
      }),
  );
  await noteRestored(run, renamed);
  await executor.rest();
}
