import type { Work } from '@/lib/deletions/executor/deletion-run';
import { elementsOf, journalOf, saveItems } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { renameBackAll } from '@/lib/redis/write/rename-back';
import type { StoredItem } from '@/lib/store/deletion-items';
import { awaitReturn } from './await-replicas';

/** Set aside, and nothing of it copied or removed: one rename brings it back, whatever its size. */
export const returnsInBatch = (item: StoredItem): boolean => {
  const { look, archives = [], position } = journalOf(item);
  const waits = item.state === 'quarantined' || item.state === 'tombstoned';
  return waits && item.mode !== 'in_place' && look != null && archives.length === 0 && position === undefined;
};

/**
 * Many keys of one node and database that are set aside whole, back under their names in one write, journalled
 * together. Whatever is not plainly brought back stays as it was, and goes the way of a single key, which tells why.
 */
export async function returnBatch(work: Work, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const desk = work.desks.at(first.slot);
  const channel = await desk.unpaced(first.db);
  await desk.rest(0);
  const began = performance.now();
  const before = new Map(items.map((item) => [item, item.state]));
  const all = items.map((item) => ({
    tombstone: tombstoneOf(item),
    name: item.name,
    expireAt: journalOf(item).expireAt ?? null,
  }));
  const outcomes = await renameBackAll(channel, all, (deadline) =>
    saveItems(
      work,
      items.map((item) => {
        const journal = { ...journalOf(item), before: before.get(item), renaming: 'home' as const };
        return { item, patch: { state: 'restoring', journal: { ...journal, ...(deadline !== null && { deadline }) } } };
      }),
    ),
  );
  const renamed = items.filter((_, index) => outcomes[index] === 'renamed');
  const back = new Set(renamed);
  await saveItems(
    work,
    items
      .filter((item) => !back.has(item))
      .map((item) => {
        const { renaming: _, deadline: __, ...journal } = journalOf(item);
        return { item, patch: { state: before.get(item), journal } };
      }),
  );
  await awaitReturn(work, renamed);
  await saveItems(
    work,
    renamed.map((item) => ({
      item,
      patch: { state: 'undone', reason: null, undoUntil: null, endedAt: Date.now() },
    })),
  );
  work.meter.add(
    renamed.reduce((sum, item) => sum + elementsOf(item), 0),
    renamed.length,
  );
  await desk.rest(performance.now() - began);
}
