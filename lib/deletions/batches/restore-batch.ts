import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import { recordRestored } from '@/lib/deletions/steps/record-restored';
import { renameBackAll } from '@/lib/redis/write/rename-back';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { openForBatch } from './open-for-batch';

/** Whether a key is tombstoned and nothing of it was copied or deleted: one rename restores it, whatever its size. */
export const canRestoreInBatch = (item: StoredItem): boolean => {
  const { look, archives = [], position } = getJournal(item);
  const isTombstoned = item.state === 'quarantined' || item.state === 'tombstoned';
  return isTombstoned && item.mode !== 'in_place' && look != null && archives.length === 0 && position === undefined;
};

/**
 * Renames many keys of one node and database, which are tombstoned whole, to their original names in one write. They
 * are journalled as restoring before it. A key that the server did not rename gets its previous state again and is
 * handled on its own later, which reports the reason. If the write itself fails, the keys stay restoring, and undoItem
 * settles each of them.
 */
export async function restoreBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const { executor, channel } = await openForBatch(run, items);
  // saveItems changes the items, so their states are read first.
  const statesBefore = new Map(items.map((item) => [item, item.state]));
  const renames = items.map((item) => ({
    tombstone: buildTombstoneName(item),
    name: item.name,
    expireAt: getJournal(item).expireAt ?? null,
  }));
  const outcomes = await renameBackAll(channel, renames, (deadline) =>
    saveItems(
      run,
      items.map((item) => {
        const journal = { ...getJournal(item), before: statesBefore.get(item), renaming: 'home' as const };
        return { item, patch: { state: 'restoring', journal: { ...journal, ...(deadline !== null && { deadline }) } } };
      }),
    ),
  );
  const renamed = items.filter((_, index) => outcomes[index] === 'renamed');
  const notRenamed = items.filter((_, index) => outcomes[index] !== 'renamed');
  // The server answered and did not rename these keys. Without this note, another key under the original name would be
  // taken for the restored one.
  await saveItems(
    run,
    notRenamed.map((item) => {
      const { renaming: _, deadline: __, ...journal } = getJournal(item);
      return { item, patch: { state: statesBefore.get(item), journal } };
    }),
  );
  await recordRestored(run, renamed);
  await executor.rest();
}
