import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import type { WritingChannel } from '@/lib/redis/write/types';
import { whereIs } from '@/lib/redis/write/where-is';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { adoptTombstone } from './adopt-tombstone';
import { awaitDeadline } from './await-deadline';
import { beganElsewhere, isTombstonedHere } from './began-elsewhere';
import { judgeCopy, reportMissingElements } from './judge-copy';
import { settleMove } from './move-tombstone';

/**
 * Before anything is sent for an item that was begun: which of the two names exist? The answer, not our memory, says
 * where it stands. (tombstone, original): (1,0) go on · (1,1) go on, the application made it anew · (0,0) it is done,
 * or it vanished · (0,1) never remove: a rename that a failed master had acknowledged may be lost, a person looks.
 */
export async function reconcileItem(run: DeletionRun, item: StoredItem): Promise<void> {
  const journal = journalOf(item);
  if (item.state === 'planned' && !journal.intent) return;
  if (beganElsewhere(run, item) && !(await isTombstonedHere(run, item))) return;
  if (item.mode === 'in_place') return;
  await settleMove(run, item);
  const channel = await run.executors.at(item.slot).channel(item.db);
  const { original, tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  if (tombstone) {
    // Cut off between the rename and what follows it.
    if (item.state === 'planned') return adoptTombstone(run, item, original);
    const reason = original ? codedMessage('recreated') : null;
    if (reason?.code !== item.reason?.code) await saveItem(run, item, { reason });
    return;
  }
  if (item.state === 'planned') return settleRename(run, item, channel);
  const copied = await copyOf(item);
  // A server that was replaced or started again may have forgotten the rename, and the original is what we tombstoned.
  if (copied.whole && (!original || isSameProcess(run, item))) return;
  if (original) await saveItem(run, item, { state: 'needs_review', reason: codedMessage('rename_lost') });
  else await reportMissingElements(run, item, copied);
}

/** The rename was sent and not answered. Its moment over, the two names tell for good whether it was carried out. */
async function settleRename(run: DeletionRun, item: StoredItem, channel: WritingChannel): Promise<void> {
  await awaitDeadline(item, channel);
  const { original, tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  if (tombstone) return adoptTombstone(run, item, original);
  const ended = { endedAt: Date.now() };
  if (!original) return saveItem(run, item, { state: 'vanished', reason: codedMessage('gone_before'), ...ended });
  // What has no deadline may be carried out at any time, and take another key of this name. Nothing is sent beside it.
  if (journalOf(item).unguarded)
    return saveItem(run, item, { state: 'needs_review', reason: codedMessage('rename_unanswered'), ...ended });
  await saveItem(run, item, { journal: null });
}

/** Its last element was on its way out when we were cut off: an emptied collection removes itself. */
async function copyOf(item: StoredItem): Promise<{ whole: boolean; archived: number }> {
  const { archived, archives = [] } = journalOf(item);
  // Without a copy the last command may have gone out before the journal knew.
  if (archived === true || item.mode === 'unlink' || item.mode === 'drain')
    return { whole: true, archived: item.archived };
  return archives.length > 0 ? judgeCopy(item, null) : { whole: false, archived: 0 };
}

function isSameProcess(run: DeletionRun, item: StoredItem): boolean {
  const { address, runId } = journalOf(item);
  const executor = run.executors.at(item.slot);
  return address === executor.address && runId === executor.node.runId;
}
