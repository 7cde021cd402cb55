import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, endItem, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { adoptTombstone } from './adopt-tombstone';
import { awaitDeadline } from './await-deadline';
import { checkTombstoneHere, hasBegunElsewhere } from './items-begun-elsewhere';
import { type CopyResult, judgeCopy, reportMissingElements } from './judge-copy';
import { settleMove } from './move-tombstone';

/**
 * Checks which of the two names of a begun item exist, before anything is sent for it. The answer decides its state,
 * not the memory of this process. (tombstone, original): (1,0) continue; (1,1) continue, the application created the
 * key again; (0,0) it is done, or it vanished; (0,1) never delete: a rename that a failed master had acknowledged may
 * be lost, a person decides.
 */
export async function reconcileItem(run: DeletionRun, item: StoredItem): Promise<void> {
  const journal = getJournal(item);
  if (item.state === 'planned' && !journal.intent) return;
  if (hasBegunElsewhere(run, item) && !(await checkTombstoneHere(run, item))) return;
  if (item.mode === 'in_place') return;
  await settleMove(run, item);
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const { original, tombstone } = await checkBothNames(channel, item.name, buildTombstoneName(item));
  if (tombstone) {
    // The work was interrupted between the rename and the next step.
    if (item.state === 'planned') return adoptTombstone(run, item, { isRecreated: original });
    const reason = original ? createCodedMessage('recreated') : null;
    if (reason?.code !== item.reason?.code) await saveItem(run, item, { reason });
    return;
  }
  if (item.state === 'planned') return settleRename(run, item, channel);
  const copyResult = await judgeCopyOfItem(item);
  // A server that was replaced or restarted may have lost the rename, and the original is then the key that was
  // tombstoned.
  if (copyResult.isComplete && (!original || isSameProcess(run, item))) return;
  if (original) await saveItem(run, item, { state: 'needs_review', reason: createCodedMessage('rename_lost') });
  else await reportMissingElements(run, item, copyResult);
}

/**
 * Handles a rename that was sent and not answered. After its deadline the two names show for certain whether it was
 * carried out.
 */
async function settleRename(run: DeletionRun, item: StoredItem, channel: WritingChannel): Promise<void> {
  await awaitDeadline(item, channel);
  const { original, tombstone } = await checkBothNames(channel, item.name, buildTombstoneName(item));
  if (tombstone) return adoptTombstone(run, item, { isRecreated: original });
  if (!original) return endItem(run, item, 'vanished', createCodedMessage('gone_before'));
  // A rename without a deadline may be carried out at any time, and may then rename another key of this name. Nothing
  // else is sent meanwhile.
  if (getJournal(item).unguarded) return endItem(run, item, 'needs_review', createCodedMessage('rename_unanswered'));
  await saveItem(run, item, { journal: null });
}

/**
 * Returns how complete the copy is. Its last element may have been deleted at the interruption: an empty collection
 * removes itself.
 */
async function judgeCopyOfItem(item: StoredItem): Promise<CopyResult> {
  const { archived, archives = [] } = getJournal(item);
  // Without a copy, the last command may have been sent before the journal recorded it.
  if (archived === true || item.mode === 'unlink' || item.mode === 'drain')
    return { isComplete: true, archived: item.archived };
  return archives.length > 0 ? judgeCopy(item, null) : { isComplete: false, archived: 0 };
}

function isSameProcess(run: DeletionRun, item: StoredItem): boolean {
  const { address, runId } = getJournal(item);
  const executor = run.executors.getForSlot(item.slot);
  return address === executor.address && runId === executor.node.runId;
}
