import type { Desks } from '@/lib/deletions/executor/node-executors';
import type { StoredItem } from '@/lib/store/deletion-items';

/**
 * Keys of one batch, at most: each of its few writes is answered by the server 16 KiB at a time, others in between, and
 * the journal and the archive are synced once. A slower speed takes smaller bites.
 */
const MOST_KEYS = 500;
const MOST_BYTES = 1024 * 1024;

/** Items that may go in one batch: same node, database and mode, in the order of the plan. */
export function groupItems(items: readonly StoredItem[], desks: Desks, most: { keys?: number } = {}): StoredItem[][] {
  const open = new Map<string, { items: StoredItem[]; bytes: number }>();
  const groups: StoredItem[][] = [];
  for (const item of items) {
    const desk = desks.at(item.slot);
    const keys = most.keys ?? Math.min(MOST_KEYS, desk.throttle.burst?.keys ?? MOST_KEYS);
    const bytes = item.facts.bytes ?? 0;
    const place = `${desk.address}/${item.db}/${item.mode}`;
    let group = open.get(place);
    if (!group || group.items.length >= keys || group.bytes + bytes > MOST_BYTES) {
      group = { items: [], bytes: 0 };
      open.set(place, group);
      groups.push(group.items);
    }
    group.items.push(item);
    group.bytes += bytes;
  }
  return groups;
}
