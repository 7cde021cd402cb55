import { readChunks } from '@/lib/access/vault/archive-elements';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTemporaryName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { recordRestored } from '@/lib/deletions/steps/record-restored';
import { freeKey } from '@/lib/redis/drain/free-key';
import { isNamedType } from '@/lib/redis/drain/select-drainer';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { addMissing } from '@/lib/redis/restore/restore-missing';
import { selectRestorer } from '@/lib/redis/restore/select-restorer';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { renameNx } from '@/lib/redis/write/rename-nx';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import {
  type ArchivedCopy,
  assertHeadroom,
  describeCountDifference,
  readArchivedCopy,
  rebuildKey,
  type UndoContext,
} from './rebuild-key';
import { beginUndo, deleteLateKeys, endRefusedUndo, getStateBeforeUndo } from './undo-states';

/**
 * Restores what was deleted from a key under its original name, and keeps what others have written since: an element
 * that exists again is not changed. If the key is gone, it is built completely and renamed if the server allows that,
 * otherwise it grows under its name just as it shrank.
 */
export async function undoInPlace(run: DeletionRun, item: StoredItem, request: UndoContext): Promise<void> {
  const journal = getJournal(item);
  const stateBefore = getStateBeforeUndo(item);
  if (!journal.archives?.length) return endRefusedUndo(run, item, stateBefore, createCodedMessage('no_copy'));
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  // A deletion that was sent and not answered must not delete again what is restored.
  await awaitDeadline(item, channel);
  await beginUndo(run, item, stateBefore);
  const copy = await readArchivedCopy(run, item);
  const { key } = copy;
  if (!key || !isNamedType(key.type))
    return endRefusedUndo(run, item, stateBefore, createCodedMessage('archive_incomplete'));
  const current = await readKeyFacts(channel, item.name);
  if (current.type !== null && current.type !== key.type)
    return endRefusedUndo(run, item, stateBefore, createCodedMessage('recreated'));
  const archivedElements = await countDistinct(copy.parts, item.seq);
  const isCreatedByUndo = current.type === null || journal.created === true;
  const { expireAt } = key;
  const isExpired = expireAt !== null && expireAt <= ((await readServerTime(channel)) ?? expireAt);
  if (isCreatedByUndo && isExpired && !request.restoreExpired)
    return endRefusedUndo(run, item, stateBefore, createCodedMessage('expired_meanwhile'));
  let isRebuilt = false;
  if (current.type === null && archivedElements > 0 && (await probeRenaming(run, item))) {
    const outcome = await rebuildKey(run, item, request, copy, archivedElements);
    // The key was created again, or the rename denied, at the last moment: missing elements are added to what is there.
    if ('refused' in outcome && !['recreated', 'rename_denied'].includes(outcome.refused.code))
      return endRefusedUndo(run, item, stateBefore, outcome.refused);
    isRebuilt = 'reported' in outcome;
  }
  let hasFieldExpiries = getJournal(item).fieldExpiries === true;
  if (!isRebuilt) {
    await assertHeadroom(run, item);
    // From the first element on, a key without an expiry counts as created by the undo, until it gets its original
    // expiry.
    if (isCreatedByUndo) await saveItem(run, item, { journal: { ...getJournal(item), created: true } });
    const merged = await addMissingElements(run, item, copy);
    hasFieldExpiries ||= merged;
  }
  if (isCreatedByUndo && !isExpired && expireAt !== null && (await channel.call(['PTTL', item.name])) === -1) {
    // The expiry may have passed meanwhile by the clock of the server; setting a past one would delete the key at once.
    if (expireAt <= ((await readServerTime(channel)) ?? expireAt))
      return endRefusedUndo(run, item, stateBefore, createCodedMessage('expired_meanwhile'));
    await channel.call(['PEXPIREAT', item.name, String(expireAt)]);
  }
  const count = await selectRestorer(key.type).count(channel, item.name);
  const expectedElements = Math.max(key.length ?? 0, archivedElements);
  // Fields with their own expiry may have expired.
  if (count < expectedElements && !hasFieldExpiries)
    return endRefusedUndo(run, item, stateBefore, describeCountDifference(count, expectedElements));
  await deleteLateKeys(run, item);
  await recordRestored(run, [item], 0, journal.unguarded ? createCodedMessage('removal_unanswered') : null);
}

/**
 * Checks whether renaming is allowed, with an internal name that does not exist: whatever the answer, nothing is
 * renamed.
 */
async function probeRenaming(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  await freeKey(channel, buildTemporaryName(item));
  try {
    await renameNx(channel, buildTemporaryName(item), item.name);
    return true;
  } catch (error) {
    if (error instanceof WriteFailure && error.kind === 'denied') return false;
    throw error;
  }
}

/** Adds the missing elements. Returns whether fields of the key have their own expiries. */
async function addMissingElements(run: DeletionRun, item: StoredItem, { parts, key }: ArchivedCopy): Promise<boolean> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const type = key?.type ?? null;
  let hasFieldExpiries = false;
  if (!isNamedType(type)) return hasFieldExpiries;
  // The newest chunks come first: elements that were read again had been written meanwhile, and only the newer ones
  // were deleted.
  for (const { file, index } of parts.toReversed())
    for await (const chunk of readChunks(file, index, item.seq, { sorted: false, newestFirst: true })) {
      hasFieldExpiries ||= chunk.expiries !== undefined;
      const added = await addMissing(channel, item.name, type, chunk);
      if (!added) continue;
      run.meter.addDone(added.elements);
      if (added.expiries) await selectRestorer(type).expire?.(channel, item.name, added);
    }
  return hasFieldExpiries;
}
