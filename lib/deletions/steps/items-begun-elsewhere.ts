import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, endItem, getJournal } from '@/lib/deletions/journal/write-journal';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Whether work on an item began on the server before the one that a person has accepted: its journal describes what was
 * seen there.
 */
export function hasBegunElsewhere(run: Pick<DeletionRun, 'deletion'>, item: StoredItem): boolean {
  const { accepted } = run.deletion.plan;
  return accepted !== undefined && item.journal !== null && (item.startedAt ?? 0) <= accepted.at;
}

/**
 * Checks an item that began elsewhere: the work continues only if its tombstone is here as it was there. A key that is
 * not here may never have been here: it is not taken for deleted, and a person decides. Returns whether the work
 * continues.
 */
export async function checkTombstoneHere(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const markForReview = async (reason: ReturnType<typeof createCodedMessage>) => {
    await endItem(run, item, 'needs_review', reason);
    return false;
  };
  if (item.mode === 'in_place') return markForReview(createCodedMessage('began_elsewhere'));
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const { original, tombstone } = await checkBothNames(channel, item.name, buildTombstoneName(item));
  if (!tombstone) return markForReview(createCodedMessage(original ? 'rename_lost' : 'not_set_aside_here'));
  const { look } = getJournal(item);
  const current = await readKeyFacts(channel, buildTombstoneName(item));
  const isLengthKnown = look !== undefined && look.length !== null && current.length !== null;
  // Elements that were deleted there may be missing here, but nothing was added to an internal name, which no other
  // client writes to.
  const isUntouched = item.state === 'tombstoned' || item.state === 'quarantined';
  const hasOtherLength =
    isLengthKnown && (isUntouched ? current.length !== look.length : (current.length ?? 0) > (look.length ?? 0));
  if (look && current.type !== look.type)
    return markForReview(createCodedMessage('changed_type', { was: look.type, is: current.type ?? '?' }));
  if (hasOtherLength)
    return markForReview(createCodedMessage('changed_length', { was: look.length ?? '?', is: current.length ?? '?' }));
  return true;
}
