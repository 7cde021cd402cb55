import { readChunks } from '@/lib/access/vault/archive-elements';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
import { buildTemporaryName } from '@/lib/deletions/journal/item-names';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { noteRestored } from '@/lib/deletions/steps/note-restored';
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
  type CopyParts,
  checkHeadroom,
  describeCountDifference,
  readParts,
  rebuildKey,
  type UndoContext,
} from './rebuild-key';
import { beginUndo, clearAttempts, endRefused, getStateBeforeUndo } from './undo-states';

/**
 * Restores what was deleted from a key under its original name, and keeps what others have written since: an element
 * that exists again is not changed. If the key is gone, it is built completely and renamed if the server allows that,
 * otherwise it grows under its name just as it shrank.
 */
export async function undoInPlace(run: DeletionRun, item: StoredItem, request: UndoContext): Promise<void> {
  const journal = getJournal(item);
  const before = getStateBeforeUndo(item);
  if (!journal.archives?.length) return endRefused(run, item, before, createCodedMessage('no_copy'));
  const channel = await run.executors.at(item.slot).channel(item.db);
  // A deletion that was sent and not answered must not delete again what is restored.
  await awaitDeadline(item, channel);
  await beginUndo(run, item, before);
  const copy = await readParts(run, item);
  const { key } = copy;
  if (!key || !isNamedType(key.type)) return endRefused(run, item, before, createCodedMessage('archive_incomplete'));
  const look = await readKeyFacts(channel, item.name);
  if (look.type !== null && look.type !== key.type)
    return endRefused(run, item, before, createCodedMessage('recreated'));
  const held = await countDistinct(copy.parts, item.seq);
  const isCreatedByUndo = look.type === null || journal.created === true;
  const { expireAt } = key;
  const isExpired = expireAt !== null && expireAt <= ((await readServerTime(channel)) ?? expireAt);
  if (isCreatedByUndo && isExpired && !request.restoreExpired)
    return endRefused(run, item, before, createCodedMessage('expired_meanwhile'));
  let rebuilt = false;
  if (look.type === null && held > 0 && (await mayRename(run, item))) {
    const outcome = await rebuildKey(run, item, request, copy, held);
    // The key was created again, or the rename denied, at the last moment: missing elements are added to what is there.
    if ('refused' in outcome && !['recreated', 'rename_denied'].includes(outcome.refused.code))
      return endRefused(run, item, before, outcome.refused);
    rebuilt = 'reported' in outcome;
  }
  let expires = getJournal(item).fieldExpiries === true;
  if (!rebuilt) {
    await checkHeadroom(run, item);
    // From the first element on, a key without an expiry counts as created by the undo, until it gets its original
    // expiry.
    if (isCreatedByUndo) await saveItem(run, item, { journal: { ...getJournal(item), created: true } });
    const merged = await merge(run, item, copy);
    expires ||= merged;
  }
  if (isCreatedByUndo && !isExpired && expireAt !== null && (await channel.call(['PTTL', item.name])) === -1) {
    // The expiry may have passed meanwhile by the clock of the server; setting a past one would delete the key at once.
    if (expireAt <= ((await readServerTime(channel)) ?? expireAt))
      return endRefused(run, item, before, createCodedMessage('expired_meanwhile'));
    await channel.call(['PEXPIREAT', item.name, String(expireAt)]);
  }
  const count = await selectRestorer(key.type).count(channel, item.name);
  const was = Math.max(key.length ?? 0, held);
  // Fields with their own expiry may have expired.
  if (count < was && !expires) return endRefused(run, item, before, describeCountDifference(count, was));
  await clearAttempts(run, item);
  await noteRestored(run, [item], 0, journal.unguarded ? createCodedMessage('removal_unanswered') : null);
}

/**
 * Checks whether renaming is allowed, with an internal name that does not exist: whatever the answer, nothing is
 * renamed.
 */
async function mayRename(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const channel = await run.executors.at(item.slot).channel(item.db);
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
async function merge(run: DeletionRun, item: StoredItem, { parts, key }: CopyParts): Promise<boolean> {
  const channel = await run.executors.at(item.slot).channel(item.db);
  const type = key?.type ?? null;
  let expires = false;
  if (!isNamedType(type)) return expires;
  // The newest chunks come first: elements that were read again had been written meanwhile, and only the newer ones
  // were deleted.
  for (const { file, index } of parts.toReversed())
    for await (const chunk of readChunks(file, index, item.seq, { sorted: false, newestFirst: true })) {
      expires ||= chunk.expiries !== undefined;
      const added = await addMissing(channel, item.name, type, chunk);
      if (!added) continue;
      run.meter.add(added.elements);
      if (added.expiries) await selectRestorer(type).expire?.(channel, item.name, added);
    }
  return expires;
}
