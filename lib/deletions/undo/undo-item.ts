import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { buildTemporaryName, buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { archiveRest } from '@/lib/deletions/steps/drain-key';
import { hasBegunElsewhere } from '@/lib/deletions/steps/items-begun-elsewhere';
import { moveTombstone, settleMove } from '@/lib/deletions/steps/move-tombstone';
import { reconcileItem } from '@/lib/deletions/steps/reconcile-item';
import { recordRestored } from '@/lib/deletions/steps/record-restored';
import { freeKey } from '@/lib/redis/drain/free-key';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { renameBack } from '@/lib/redis/write/rename-back';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import {
  describeCountDifference,
  getRestorableType,
  readArchivedCopy,
  rebuildKey,
  type UndoContext,
} from './rebuild-key';
import { refillTombstone } from './refill-tombstone';
import { undoInPlace } from './undo-in-place';
import { beginUndo, deleteLateKeys, endRefusedUndo, getStateBeforeUndo } from './undo-states';

/**
 * Restores one key under its original name: by renaming if nothing was deleted yet, otherwise from its archive under an
 * internal name, which is renamed when it is complete. A key that the application has created again is never
 * overwritten.
 */
export async function undoItem(run: DeletionRun, item: StoredItem, request: UndoContext): Promise<void> {
  if (item.state === 'planned') {
    if (!getJournal(item).intent) return;
    await reconcileItem(run, item);
    if (item.state === 'planned' || item.state === 'vanished') return;
  }
  if (item.mode === 'in_place') return undoInPlace(run, item, request);
  await settleMove(run, item);
  const journal = getJournal(item);
  const hasBegun = item.state === 'restoring' || (item.state === 'given_up' && journal.gaveUp === 'restoring');
  if (hasBegun && (await settleUndoRename(run, item))) return;
  const stateBefore = getStateBeforeUndo(item);
  // If the original exists besides or instead of the tombstone, only a person can decide which is right.
  if (stateBefore === 'needs_review' && !(await isRenamed(run, item)))
    return saveItem(run, item, { state: stateBefore });
  const partlyDeleted = isPartlyDeleted(item, stateBefore);
  if (stateBefore !== 'done' && !partlyDeleted) return renameToOriginal(run, item, stateBefore, request);
  if (!journal.archives?.length) return endRefusedUndo(run, item, stateBefore, createCodedMessage('no_copy'));
  await beginUndo(run, item, stateBefore);
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const hasTombstone = partlyDeleted && (await checkBothNames(channel, item.name, buildTombstoneName(item))).tombstone;
  if (hasTombstone && (await mayRefill(run, item)) && (await moveTombstone(run, item))) {
    const { isComplete, count } = await refillTombstone(run, item, await readArchivedCopy(run, item));
    if (isComplete) return renameToOriginal(run, item, 'tombstoned', request);
    // What is left of a stream is its end: the part before it can only be written to a new stream.
    if (getRestorableType(item) !== 'stream' || journal.unreadable)
      return endRefusedUndo(run, item, stateBefore, describeCountDifference(count, journal.look?.length ?? null));
  }
  if (hasTombstone && !getJournal(item).archived) {
    await archiveReadableRest(run, item);
    for (const file of getJournal(item).archives ?? []) run.archives.forget(file);
  }
  const outcome = await rebuildKey(run, item, request, await readArchivedCopy(run, item));
  if ('refused' in outcome) return endRefusedUndo(run, item, stateBefore, outcome.refused);
  if (partlyDeleted) await freeKey(channel, buildTombstoneName(item));
  await deleteLateKeys(run, item);
  await recordRestored(run, [item], 0, outcome.reported);
}

/**
 * Whether the tombstone may be refilled. A server that evicts any key may evict it while it grows, and only the
 * tombstone has the elements that were not copied: in that case they are copied first.
 */
async function mayRefill(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const { archived, unreadable } = getJournal(item);
  if (archived || unreadable) return true;
  const { maxMemory, evictionPolicy } = await readNodeState(
    await run.executors.getForSlot(item.slot).openPaced(item.db),
  );
  return !maxMemory || !evictionPolicy?.startsWith('allkeys-');
}

/**
 * Archives the rest of a tombstone. One element may be larger than a connection allows, which closes it: the next
 * attempt does not read the elements.
 */
async function archiveReadableRest(run: DeletionRun, item: StoredItem): Promise<void> {
  try {
    // The rebuild checks how much of the key is in the archive.
    await archiveRest(run, item, buildTombstoneName(item));
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.code !== 'TOOLARGE') throw error;
    await saveItem(run, item, { journal: { ...getJournal(item), unreadable: true } });
    throw new TransientFailure({ code: 'connection_lost', params: { message: error.message } });
  }
}

const REASON_BY_OUTCOME = { recreated: 'recreated', expired: 'expired_meanwhile', vanished: 'tombstone_gone' } as const;

/**
 * Whether elements may be deleted although the journal does not record it yet. Once an archive was begun, only the
 * archive is trusted; once a deletion without one was begun, nothing is.
 */
function isPartlyDeleted(item: StoredItem, stateBefore: StoredItem['state']): boolean {
  const { archives = [], position } = getJournal(item);
  return stateBefore === 'draining' || (stateBefore !== 'done' && (archives.length > 0 || position !== undefined));
}

/** Whether the key is tombstoned or in its archive, and no key has the original name. */
async function isRenamed(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const { original, tombstone } = await checkBothNames(channel, item.name, buildTombstoneName(item));
  return !original && (tombstone || (getJournal(item).archives ?? []).length > 0);
}

async function renameToOriginal(
  run: DeletionRun,
  item: StoredItem,
  stateBefore: StoredItem['state'],
  request: UndoContext,
): Promise<void> {
  const { expireAt = null } = getJournal(item);
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const renameWithExpiry = (newExpireAt: number | null) =>
    renameBack(
      channel,
      { tombstone: buildTombstoneName(item), name: item.name, expireAt: newExpireAt },
      async (deadline) => {
        const journal = {
          ...getJournal(item),
          before: stateBefore,
          renaming: 'home' as const,
          ...(deadline !== null && { deadline }),
        };
        await saveItem(run, item, { state: 'restoring', journal });
      },
    );
  // The server decides by its own clock whether the expiry has passed.
  const firstOutcome = await renameWithExpiry(expireAt);
  const outcome = firstOutcome === 'expired' && request.restoreExpired ? await renameWithExpiry(null) : firstOutcome;
  if (outcome === 'renamed') {
    await deleteLateKeys(run, item);
    return recordRestored(run, [item]);
  }
  // The tombstone stays for now, and no command that was sent before may delete it.
  if (outcome === 'recreated') await moveTombstone(run, item);
  // If it was never tombstoned on this server, its absence does not mean that it is gone.
  if (outcome === 'vanished' && hasBegunElsewhere(run, item))
    await endRefusedUndo(run, item, 'needs_review', createCodedMessage('not_set_aside_here'));
  else await endRefusedUndo(run, item, stateBefore, createCodedMessage(REASON_BY_OUTCOME[outcome]));
}

/**
 * Settles a rename that was sent when the work was interrupted: if the internal name is gone and the original exists,
 * it happened. Returns whether it did, which ends the undo.
 */
async function settleUndoRename(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const { renaming, before } = getJournal(item);
  if (!renaming) return false;
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const wasPartlyDeleted = isPartlyDeleted(item, before ?? 'done');
  const wasRebuilt = renaming !== 'home' && (before === 'done' || wasPartlyDeleted);
  const internalName = wasRebuilt ? buildTemporaryName(item) : buildTombstoneName(item);
  // A command that was sent and not answered must not affect what is built next.
  await awaitDeadline(item, channel);
  const names = await checkBothNames(channel, item.name, internalName);
  if (!names.original || names.tombstone) return false;
  if (wasRebuilt && wasPartlyDeleted) await freeKey(channel, buildTombstoneName(item));
  await deleteLateKeys(run, item);
  await recordRestored(run, [item]);
  return true;
}
