import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { codedMessage, elementsOf, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { temporaryOf, tombstoneOf } from '@/lib/deletions/journal/item-names';
import { stateBefore } from '@/lib/deletions/journal/state-before';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { beganElsewhere } from '@/lib/deletions/steps/began-elsewhere';
import { archiveRest } from '@/lib/deletions/steps/drain-key';
import { moveTombstone, settleMove } from '@/lib/deletions/steps/move-tombstone';
import { reconcileItem } from '@/lib/deletions/steps/reconcile-item';
import { freeKey } from '@/lib/redis/drain/free-key';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { renameBack } from '@/lib/redis/write/rename-back';
import { whereIs } from '@/lib/redis/write/where-is';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { beginUndo, clearAttempts } from './begin-undo';
import { endRefused, endUndone } from './end-undo';
import { differs, readParts, rebuildKey, restorable, type UndoContext } from './rebuild-key';
import { refillTombstone } from './refill-tombstone';
import { undoInPlace } from './undo-in-place';

/**
 * Brings one key back under its name: by renaming where nothing was removed yet, else from its archive under a name of
 * ours that is renamed when it is whole. A key that the application has made anew is never overwritten.
 */
export async function undoItem(run: DeletionRun, item: StoredItem, request: UndoContext): Promise<void> {
  if (item.state === 'planned') {
    if (!journalOf(item).intent) return;
    await reconcileItem(run, item);
    if (item.state === 'planned' || item.state === 'vanished') return;
  }
  if (item.mode === 'in_place') return undoInPlace(run, item, request);
  await settleMove(run, item);
  const journal = journalOf(item);
  const begun = item.state === 'restoring' || (item.state === 'given_up' && journal.gaveUp === 'restoring');
  if (begun && (await settleRename(run, item))) return;
  const before = stateBefore(item);
  // Where the original stands beside or instead of what was tombstoned, only a person can tell which is right.
  if (before === 'needs_review' && !(await isRenamed(run, item))) return saveItem(run, item, { state: before });
  const partly = isPartly(item, before);
  if (before !== 'done' && !partly) return renameToOriginal(run, item, before, request);
  if (!journal.archives?.length) return endRefused(run, item, before, codedMessage('no_copy'));
  await beginUndo(run, item, before);
  const channel = await run.executors.at(item.slot).channel(item.db);
  const left = partly && (await whereIs(channel, item.name, tombstoneOf(item))).tombstone;
  if (left && (await mayRefill(run, item)) && (await moveTombstone(run, item))) {
    const { whole, count } = await refillTombstone(run, item, await readParts(run, item));
    if (whole) return renameToOriginal(run, item, 'tombstoned', request);
    // What is left of a stream is its end: what was before it can only be written to a new one.
    if (restorable(item) !== 'stream' || journal.unreadable)
      return endRefused(run, item, before, differs(count, journal.look?.length ?? null));
  }
  if (left && !journalOf(item).archived) {
    await archiveReadable(run, item);
    for (const file of journalOf(item).archives ?? []) run.archives.forget(file);
  }
  const outcome = await rebuildKey(run, item, request, await readParts(run, item));
  if ('refused' in outcome) return endRefused(run, item, before, outcome.refused);
  if (partly) await freeKey(channel, tombstoneOf(item));
  await clearAttempts(run, item);
  await endUndone(run, item, 0, outcome.reported);
}

/**
 * A server that evicts any key may take what is left while it grows, and only that holds what was not copied: there it
 * is copied first.
 */
async function mayRefill(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const { archived, unreadable } = journalOf(item);
  if (archived || unreadable) return true;
  const { maxMemory, evictionPolicy } = await readNodeState(await run.executors.at(item.slot).channel(item.db));
  return !maxMemory || !evictionPolicy?.startsWith('allkeys-');
}

/** One element may be more than a connection takes, which it then costs: the next attempt asks for none of them. */
async function archiveReadable(run: DeletionRun, item: StoredItem): Promise<void> {
  try {
    // How much of it is there, the rebuilding tells.
    await archiveRest(run, item, tombstoneOf(item));
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.code !== 'TOOLARGE') throw error;
    await saveItem(run, item, { journal: { ...journalOf(item), unreadable: true } });
    throw new TransientFailure({ code: 'connection_lost', params: { message: error.message } });
  }
}

const WHY_NOT = { recreated: 'recreated', expired: 'expired_meanwhile', vanished: 'tombstone_gone' } as const;

/**
 * Elements may be gone although the journal does not know it yet: once an archive was begun, only it is believed; once
 * removing without one was begun, nothing is.
 */
function isPartly(item: StoredItem, before: StoredItem['state']): boolean {
  const { archives = [], position } = journalOf(item);
  return before === 'draining' || (before !== 'done' && (archives.length > 0 || position !== undefined));
}

/** Renamed (tombstone), or in its archive, and nothing else under its name. */
async function isRenamed(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const channel = await run.executors.at(item.slot).channel(item.db);
  const { original, tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  return !original && (tombstone || (journalOf(item).archives ?? []).length > 0);
}

async function renameToOriginal(
  run: DeletionRun,
  item: StoredItem,
  before: StoredItem['state'],
  request: UndoContext,
): Promise<void> {
  const { expireAt = null } = journalOf(item);
  const channel = await run.executors.at(item.slot).channel(item.db);
  const back = (until: number | null) =>
    renameBack(channel, { tombstone: tombstoneOf(item), name: item.name, expireAt: until }, async (deadline) => {
      const journal = { ...journalOf(item), before, renaming: 'home' as const, ...(deadline !== null && { deadline }) };
      await saveItem(run, item, { state: 'restoring', journal });
    });
  // Whether it has passed is for the server to tell, by its own clock.
  const answer = await back(expireAt);
  const outcome = answer === 'expired' && request.restoreExpired ? await back(null) : answer;
  if (outcome === 'renamed') {
    await clearAttempts(run, item);
    return endUndone(run, item, elementsOf(item));
  }
  // It stays for now, and nothing that was sent before it was to come back may take it.
  if (outcome === 'recreated') await moveTombstone(run, item);
  // Where it was never tombstoned, that it is not there does not say that it has gone.
  const never = outcome === 'vanished' && beganElsewhere(run, item);
  await endRefused(
    run,
    item,
    never ? 'needs_review' : before,
    codedMessage(never ? 'not_set_aside_here' : WHY_NOT[outcome]),
  );
}

/** The last rename was on its way when we were cut off: with our name gone and the other there, it happened. */
async function settleRename(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const { renaming, before } = journalOf(item);
  if (!renaming) return false;
  const channel = await run.executors.at(item.slot).channel(item.db);
  const partly = isPartly(item, before ?? 'done');
  const rebuilt = renaming !== 'home' && (before === 'done' || partly);
  const ours = rebuilt ? temporaryOf(item) : tombstoneOf(item);
  // What was sent and not answered must not meet what is built next.
  await awaitDeadline(item, channel);
  const found = await whereIs(channel, item.name, ours);
  if (!found.original || found.tombstone) return false;
  if (rebuilt && partly) await freeKey(channel, tombstoneOf(item));
  await clearAttempts(run, item);
  await endUndone(run, item, elementsOf(item));
  return true;
}
