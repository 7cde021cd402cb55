import { formatRestoreName, formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { getJournal } from './item-journal';

/** The names of a first attempt are cached, because a batch uses them in every one of its writes. */
const tombstones = new WeakMap<StoredItem, Buffer>();
const temporaries = new WeakMap<StoredItem, Buffer>();

/** The name that a key has while it is tombstoned. */
export const buildTombstoneName = (item: StoredItem): Buffer =>
  buildTombstoneNameAt(item, getJournal(item).tombstones?.[0] ?? 0);

export const buildTombstoneNameAt = (item: StoredItem, attempt: number): Buffer =>
  getOrMake(tombstones, item, attempt, formatTombstoneName);

/** The name under which a key is rebuilt; each attempt has another one. */
export const buildTemporaryName = (item: StoredItem): Buffer =>
  buildTemporaryNameAt(item, getJournal(item).attempt ?? 0);

export const buildTemporaryNameAt = (item: StoredItem, attempt: number): Buffer =>
  getOrMake(temporaries, item, attempt, formatRestoreName);

function getOrMake(
  made: WeakMap<StoredItem, Buffer>,
  item: StoredItem,
  attempt: number,
  make: typeof formatTombstoneName,
): Buffer {
  const known = attempt === 0 ? made.get(item) : undefined;
  if (known) return known;
  const name = make(item.slot, item.deletionId, item.seq, attempt);
  if (attempt === 0) made.set(item, name);
  return name;
}
