import { restoreName, tombstoneName } from '@/lib/redis/keys/internal-key-name';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { journalOf } from './item-journal';

/** The names of a first attempt are cached, because a batch uses them in every one of its writes. */
const tombstones = new WeakMap<StoredItem, Buffer>();
const temporaries = new WeakMap<StoredItem, Buffer>();

/** The name that a key has while it is tombstoned. */
export const tombstoneOf = (item: StoredItem): Buffer => tombstoneAt(item, journalOf(item).tombstones?.[0] ?? 0);

export const tombstoneAt = (item: StoredItem, attempt: number): Buffer =>
  once(tombstones, item, attempt, tombstoneName);

/** The name under which a key is rebuilt; each attempt has another one. */
export const temporaryOf = (item: StoredItem): Buffer => temporaryAt(item, journalOf(item).attempt ?? 0);

export const temporaryAt = (item: StoredItem, attempt: number): Buffer => once(temporaries, item, attempt, restoreName);

function once(
  made: WeakMap<StoredItem, Buffer>,
  item: StoredItem,
  attempt: number,
  make: typeof tombstoneName,
): Buffer {
  const known = attempt === 0 ? made.get(item) : undefined;
  if (known) return known;
  const name = make(item.slot, item.deletionId, item.seq, attempt);
  if (attempt === 0) made.set(item, name);
  return name;
}
