import { formatRestoreName, formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { getJournal } from './write-journal';

/** The names of a first attempt are cached, because a batch uses them in every one of its writes. */
const tombstoneNames = new WeakMap<StoredItem, Buffer>();
const temporaryNames = new WeakMap<StoredItem, Buffer>();

/** The name that a key has while it is tombstoned. */
export const buildTombstoneName = (item: StoredItem): Buffer =>
  buildTombstoneNameAt(item, getJournal(item).tombstones?.[0] ?? 0);

export const buildTombstoneNameAt = (item: StoredItem, attempt: number): Buffer =>
  getOrBuild(tombstoneNames, item, attempt, formatTombstoneName);

/** The name under which a key is rebuilt; each attempt has another one. */
export const buildTemporaryName = (item: StoredItem): Buffer =>
  buildTemporaryNameAt(item, getJournal(item).attempt ?? 0);

export const buildTemporaryNameAt = (item: StoredItem, attempt: number): Buffer =>
  getOrBuild(temporaryNames, item, attempt, formatRestoreName);

function getOrBuild(
  names: WeakMap<StoredItem, Buffer>,
  item: StoredItem,
  attempt: number,
  format: typeof formatTombstoneName,
): Buffer {
  const cached = attempt === 0 ? names.get(item) : undefined;
  if (cached) return cached;
  const name = format(item.slot, item.deletionId, item.seq, attempt);
  if (attempt === 0) names.set(item, name);
  return name;
}
