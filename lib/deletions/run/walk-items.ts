import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { StopRequested } from '@/lib/deletions/executor/run-errors';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, endItem, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { excludeProtected } from '@/lib/deletions/plan/protected-names';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ItemState } from '@/lib/model/deletions/item-states';
import { AppError } from '@/lib/model/errors';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { SCRIPT_DENIED, WriteFailure } from '@/lib/redis/write/write-failure';
import { listItems, type StoredItem, type WalkedState } from '@/lib/store/deletions/deletion-items';

const ITEMS_PER_PAGE = 500;

/** Yields the items in the given states, in the order of the plan, a page at a time. States may change meanwhile. */
export async function* walkItems(
  run: DeletionRun,
  states: readonly WalkedState[],
  onlySeqs: readonly number[] | null = null,
): AsyncGenerator<StoredItem[]> {
  const { id } = run.deletion.plan;
  for (let afterSeq = -1; ; ) {
    if (run.hooks.getStopRequest() !== null) throw new StopRequested();
    const query = { deletionId: id, states, afterSeq, limit: ITEMS_PER_PAGE };
    const items = await listItems(onlySeqs ? { ...query, seqs: onlySeqs } : query);
    if (items.length === 0) return;
    afterSeq = items.at(-1)?.seq ?? afterSeq;
    const allowedItems = await excludeProtected(run, items);
    if (allowedItems.length > 0) yield allowedItems;
  }
}

/**
 * Runs a step for one or more items. A failure that concerns one key only (a denied command, an unexpected answer) is
 * written to its item, and the other items continue; a failure of the server is thrown.
 */
export async function actOrEndItems(
  run: DeletionRun,
  items: StoredItem[],
  act: () => Promise<void>,
  /** Handles one item. If the batch fails for one key, the remaining keys are retried one by one with it. */
  actOnOne?: (item: StoredItem) => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    const reason = findFailureOfItems(error);
    if (reason === null) throw error;
    if (actOnOne && items.length > 1) {
      for (const item of items)
        if (RETRIED_STATES.has(item.state)) await actOrEndItems(run, [item], () => actOnOne(item));
      return;
    }
    for (const item of items) {
      if (item.state === 'restoring') {
        await saveItem(run, item, { state: getStateAfterRefusal(item), reason });
        continue;
      }
      let state: ItemState = 'failed';
      if (item.state === 'done') state = 'done';
      // A key that is already tombstoned is not lost: a person decides.
      else if (item.state !== 'planned' || (await mayBeTombstoned(run, item))) state = 'needs_review';
      await endItem(run, item, state, reason);
    }
  }
}

/**
 * The state of an item whose undo was refused. With a copy the undo can be requested again. If the last rename may have
 * happened, that has to be checked first.
 */
function getStateAfterRefusal(item: StoredItem): ItemState {
  const { renaming, before = 'done' } = getJournal(item);
  return renaming ? 'restoring' : before;
}

/** States of items that are handled one by one after their batch has failed. */
const RETRIED_STATES = new Set<ItemState>(['planned', 'tombstoned', 'draining']);

/**
 * Checks whether the key is tombstoned: the refused command may not have been the rename, and a person must be able to
 * see a key that has the name of its tombstone.
 */
async function mayBeTombstoned(run: DeletionRun, item: StoredItem): Promise<boolean> {
  if (!getJournal(item).intent || item.mode === 'in_place') return false;
  try {
    const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
    return (await checkBothNames(channel, item.name, buildTombstoneName(item))).tombstone;
  } catch (error) {
    // Even this check may be denied: unknown does not mean no.
    if (error instanceof WriteFailure && error.kind === 'denied') return true;
    throw error;
  }
}

/**
 * Returns the reason of a failure that concerns only the keys of this step, such as an unreadable archive; null = it
 * concerns more than one key.
 */
function findFailureOfItems(error: unknown): CodedMessage | null {
  if (error instanceof WriteFailure) {
    if (error.code === 'DUMPTOOLARGE') return createCodedMessage('dump_too_large');
    if (error.code === 'TOOLARGE') return createCodedMessage('element_too_large');
    if (error.code === SCRIPT_DENIED) return createCodedMessage('script_refused');
    const reason = REASON_BY_FAILURE[error.kind];
    return reason === undefined ? null : createCodedMessage(reason, { code: error.code });
  }
  if (!(error instanceof AppError) || !ARCHIVE_FAILURE_CODES.has(error.code)) return null;
  // If the archive is sealed, it was completed by a run that this store does not know of: the store is older than the
  // archive.
  return createCodedMessage(error.details.sealed ? 'archive_ahead' : 'archive_incomplete');
}

const ARCHIVE_FAILURE_CODES = new Set<string>(['archive_damaged', 'not_found']);

const REASON_BY_FAILURE: Partial<Record<WriteFailure['kind'], string>> = {
  denied: 'denied',
  wrong_type: 'invariant',
  refused: 'refused',
};
