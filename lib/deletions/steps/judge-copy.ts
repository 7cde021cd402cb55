import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { archivePartsOf } from '@/lib/deletions/journal/archive-parts';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { whereIs } from '@/lib/redis/write/where-is';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { verifyArchive } from '@/lib/vault/archive-reader';
import { countDistinct } from '@/lib/vault/count-distinct';

/**
 * What is tombstoned can be evicted, or removed by another hand, while it is copied; to whoever reads it that looks
 * like its end. So a copy counts as whole only if it holds as many distinct elements as the key had when it was
 * tombstoned.
 */
export async function judgeCopy(
  item: StoredItem,
  /** Distinct elements that are known to be in the archive; null = they are counted there. */
  counted: number | null,
  /** Fields that the server counts and shows to nobody any more. */
  hidden = 0,
): Promise<{ whole: boolean; archived: number }> {
  const journal = journalOf(item);
  const length = journal.look?.length ?? null;
  const archived = counted !== null && counted === length ? counted : await countArchived(item);
  return { whole: isWhole(journal, { archived, hidden, passed: journal.passed === true }), archived };
}

/**
 * Fewer only of a hash that was still there at the end: by as many fields as have expired and are counted still, or
 * where fields with expiries of their own were read.
 * Where nobody knew the length, the end is all that can be asked for.
 */
export function isWhole(
  { look, fieldExpiries }: Pick<ItemJournal, 'look' | 'fieldExpiries'>,
  { archived, hidden, passed }: { archived: number; hidden: number; passed: boolean },
): boolean {
  const length = look?.length ?? null;
  if (length === null) return passed;
  const lapses = fieldExpiries === true || look?.encoding === 'listpackex';
  return archived >= length || (look?.type === 'hash' && passed && (lapses || archived + hidden >= length));
}

/** In all files of its archive, whatever stands behind their last good record. */
export async function countArchived(item: StoredItem): Promise<number> {
  const parts = [];
  for (const { file, upTo } of await archivePartsOf(item))
    parts.push({ file, index: await verifyArchive(file, item.deletionId, { tornTail: true, upTo }) });
  return countDistinct(parts, item.seq);
}

/** Some commands are refused where there is no key. Throws what it was given if that is not why. */
export async function judgeVanished(run: DeletionRun, item: StoredItem, error: unknown): Promise<{ archived: number }> {
  // What was too large was there, and its connection is gone: asking on it would hide why.
  if (!(error instanceof WriteFailure) || error.kind !== 'refused' || error.code === 'TOOLARGE') throw error;
  const channel = await run.executors.at(item.slot).channel(item.db);
  if ((await whereIs(channel, item.name, tombstoneOf(item))).tombstone) throw error;
  const copied = await judgeCopy(item, null);
  if (copied.whole) throw error;
  return copied;
}

/** Of a key that is not whole in its archive: what was copied is all there is, or nothing was. */
export async function reportMissingElements(
  run: DeletionRun,
  item: StoredItem,
  { archived }: { archived: number },
): Promise<void> {
  const channel = await run.executors.at(item.slot).channel(item.db);
  const { tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  const none = archived === 0 && !tombstone;
  await saveItem(run, item, {
    state: none ? 'vanished' : 'needs_review',
    archived,
    reason: none ? codedMessage('tombstone_gone') : missingElementsReason(item, archived),
    endedAt: Date.now(),
  });
}

export const missingElementsReason = (item: StoredItem, archived: number) =>
  codedMessage('copy_short', { archived, length: journalOf(item).look?.length ?? '?' });
