import { hasBegun } from '@/lib/access/vault/archive-file';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { getJournal } from './write-journal';

/** One file of an item's archive. */
export interface ArchivePart {
  file: string;
  /** How many of its bytes count; undefined = all. */
  upTo: number | undefined;
}

/** How many bytes of the last archive file of an item are known to be synced. */
export const countSyncedBytes = (item: StoredItem): number => item.archiveBytes - (getJournal(item).earlierBytes ?? 0);

/**
 * Returns the files that may have elements of an item, in the order they were written. The journal names the last file
 * before it is created: after an interruption in between that file does not exist, and nothing was deleted yet.
 */
export async function listArchiveParts(item: StoredItem): Promise<ArchivePart[]> {
  const { archives = [], countedBytes = {} } = getJournal(item);
  const lastFile = archives.at(-1);
  const lastIsMissing = lastFile !== undefined && countSyncedBytes(item) <= 0 && !(await hasBegun(lastFile));
  const existingFiles = lastIsMissing ? archives.slice(0, -1) : archives;
  return existingFiles.map((file) => ({ file, upTo: countedBytes[file] })).filter(({ upTo }) => upTo !== 0);
}
