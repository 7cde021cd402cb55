import { restoreName, tombstoneName } from '@/lib/redis/trash-name';
import type { StoredItem } from '@/lib/store/deletion-items';

/** Each name is made and checked once: a batch asks for it in every one of its writes. */
const tombstones = new WeakMap<StoredItem, Buffer>();
const temporaries = new WeakMap<StoredItem, Buffer>();

/** The name a key carries while it is set aside. */
export function tombstoneOf(item: StoredItem): Buffer {
  const known = tombstones.get(item);
  if (known) return known;
  const name = tombstoneName(item.slot, item.deletionId, item.seq);
  tombstones.set(item, name);
  return name;
}

/** The name under which it is built again. */
export function temporaryOf(item: StoredItem): Buffer {
  const known = temporaries.get(item);
  if (known) return known;
  const name = restoreName(item.slot, item.deletionId, item.seq);
  temporaries.set(item, name);
  return name;
}
