import type { NodeExecutors } from '@/lib/deletions/executor/node-executors';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Keys of one batch, at most: each of its few writes is answered by the server 16 KiB at a time, others in between, and
 * the journal and the archive are synced once. A slower speed takes smaller bites.
 */
const MAX_KEYS = 500;
const MAX_BYTES = 1024 * 1024;

/** Items that may go in one batch: same node, database and mode, in the order of the plan. */
export function groupItems(
  items: readonly StoredItem[],
  executors: NodeExecutors,
  max: { keys?: number } = {},
): StoredItem[][] {
  const open = new Map<string, { items: StoredItem[]; bytes: number }>();
  const groups: StoredItem[][] = [];
  for (const item of items) {
    const executor = executors.at(item.slot);
    const keys = max.keys ?? Math.min(MAX_KEYS, executor.throttle.burst?.keys ?? MAX_KEYS);
    const bytes = item.facts.bytes ?? 0;
    const place = `${executor.address}/${item.db}/${item.mode}`;
    let group = open.get(place);
    if (!group || group.items.length >= keys || group.bytes + bytes > MAX_BYTES) {
      group = { items: [], bytes: 0 };
      open.set(place, group);
      groups.push(group.items);
    }
    group.items.push(item);
    group.bytes += bytes;
  }
  return groups;
}
