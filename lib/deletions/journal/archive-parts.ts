import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { hasBegun } from '@/lib/vault/archive-file';
import { journalOf } from './item-journal';

/** One file of an item's archive. */
export interface ArchivePart {
  file: string;
  /** Bytes of it that count; undefined = all. */
  upTo: number | undefined;
}

/** Bytes of the last file of its archive that a sync has answered for. */
export const syncedBytes = (item: StoredItem): number => item.archiveBytes - (journalOf(item).earlierBytes ?? 0);

/**
 * The files that can hold something of an item, in the order they were written. The last was named before it was made:
 * cut off between, it is not there, and nothing was removed on its account.
 */
export async function archivePartsOf(item: StoredItem): Promise<ArchivePart[]> {
  const { archives = [], countedBytes = {} } = journalOf(item);
  const last = archives.at(-1);
  const never = last !== undefined && syncedBytes(item) <= 0 && !(await hasBegun(last));
  const made = never ? archives.slice(0, -1) : archives;
  return made.map((file) => ({ file, upTo: countedBytes[file] })).filter(({ upTo }) => upTo !== 0);
}
