import type { StoredItem } from '@/lib/store/deletion-items';
import type { Desks } from './desks';

/** Items that may go in one batch: same node, database and mode, in the order of the plan. */
export function groupItems(items: readonly StoredItem[], desks: Desks, most: number): StoredItem[][] {
  const open = new Map<string, StoredItem[]>();
  const groups: StoredItem[][] = [];
  for (const item of items) {
    const place = `${desks.at(item.slot).address}/${item.db}/${item.mode}`;
    let group = open.get(place);
    if (!group || group.length >= most) {
      group = [];
      open.set(place, group);
      groups.push(group);
    }
    group.push(item);
  }
  return groups;
}
