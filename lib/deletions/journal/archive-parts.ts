import { hasBegun } from '@/lib/access/vault/archive-file';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { journalOf } from './item-journal';

/** One file of an item's archive. */
export interface ArchivePart {
  file: string;
  /** How many of its bytes count; undefined = all. */
  upTo: number | undefined;
}

/** How many bytes of the last archive file of an item are known to be synced. */
export const syncedBytes = (item: StoredItem): number => item.archiveBytes - (journalOf(item).earlierBytes ?? 0);

/**
 * Returns the files that may have elements of an item, in the order they were written. The journal names the last one
 * before it is created: after an interruption in between it does not exist, and nothing was deleted because of it.
 */
export async function archivePartsOf(item: StoredItem): Promise<ArchivePart[]> {
  const { archives = [], countedBytes = {} } = journalOf(item);
  const last = archives.at(-1);
  const never = last !== undefined && syncedBytes(item) <= 0 && !(await hasBegun(last));
  const made = never ? archives.slice(0, -1) : archives;
  return made.map((file) => ({ file, upTo: countedBytes[file] })).filter(({ upTo }) => upTo !== 0);
}
