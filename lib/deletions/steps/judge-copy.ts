import { verifyArchive } from '@/lib/access/vault/archive-reader';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { listArchiveParts } from '@/lib/deletions/journal/archive-parts';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** `archived`: how many distinct elements the archive has. */
export interface CopyResult {
  isComplete: boolean;
  archived: number;
}

/**
 * Decides whether a copy is complete. A tombstone can be evicted or deleted by another client while it is copied, which
 * the reader cannot distinguish from its end. Therefore a copy is complete only if it has as many distinct elements as
 * the key had when it was tombstoned.
 */
export async function judgeCopy(
  item: StoredItem,
  /** Distinct elements that are known to be in the archive; null = they are counted in the archive. */
  knownElements: number | null,
  /** Expired fields that the server still counts but no longer returns. */
  hiddenFields = 0,
): Promise<CopyResult> {
  const journal = getJournal(item);
  const length = journal.look?.length ?? null;
  const archived = knownElements !== null && knownElements === length ? knownElements : await countArchived(item);
  return {
    isComplete: isCopyComplete(journal, { archived, hiddenFields, reachedEnd: journal.passed === true }),
    archived,
  };
}

/**
 * Fewer elements are accepted only for a hash that still existed at the end: by as many fields as are expired and still
 * counted, or if fields with their own expiry were read. If the length was never known, it is enough to have reached
 * the end.
 */
export function isCopyComplete(
  { look, fieldExpiries }: Pick<ItemJournal, 'look' | 'fieldExpiries'>,
  { archived, hiddenFields, reachedEnd }: { archived: number; hiddenFields: number; reachedEnd: boolean },
): boolean {
  const length = look?.length ?? null;
  if (length === null) return reachedEnd;
  const mayHaveLapsed = fieldExpiries === true || look?.encoding === 'listpackex';
  return (
    archived >= length || (look?.type === 'hash' && reachedEnd && (mayHaveLapsed || archived + hiddenFields >= length))
  );
}

/** Counts distinct elements in all files of its archive, ignoring what follows the last good record of each. */
export async function countArchived(item: StoredItem): Promise<number> {
  const parts = [];
  for (const { file, upTo } of await listArchiveParts(item))
    parts.push({ file, index: await verifyArchive(file, item.deletionId, { tornTail: true, upTo }) });
  return countDistinct(parts, item.seq);
}

/** Handles commands that are refused because the key is gone. Throws the given error if that is not the reason. */
export async function judgeVanished(run: DeletionRun, item: StoredItem, error: unknown): Promise<{ archived: number }> {
  // An element that was too large did exist, and its connection is closed: a check on it would hide the reason.
  if (!(error instanceof WriteFailure) || error.kind !== 'refused' || error.code === 'TOOLARGE') throw error;
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  if ((await checkBothNames(channel, item.name, buildTombstoneName(item))).tombstone) throw error;
  const result = await judgeCopy(item, null);
  if (result.isComplete) throw error;
  return result;
}

/** Reports a key that is not complete in its archive: only a part was copied, or nothing. */
export async function reportMissingElements(
  run: DeletionRun,
  item: StoredItem,
  { archived }: { archived: number },
): Promise<void> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const { tombstone } = await checkBothNames(channel, item.name, buildTombstoneName(item));
  const isNothingLeft = archived === 0 && !tombstone;
  await saveItem(run, item, {
    state: isNothingLeft ? 'vanished' : 'needs_review',
    archived,
    reason: isNothingLeft ? createCodedMessage('tombstone_gone') : describeMissingElements(item, archived),
    endedAt: Date.now(),
  });
}

export const describeMissingElements = (item: StoredItem, archived: number) =>
  createCodedMessage('copy_short', { archived, length: getJournal(item).look?.length ?? '?' });
