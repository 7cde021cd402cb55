import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { StopRequested } from '@/lib/deletions/executor/run-errors';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { withoutProtected } from '@/lib/deletions/plan/protected-names';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ItemState } from '@/lib/model/deletions/item-states';
import { AppError } from '@/lib/model/errors';
import { whereIs } from '@/lib/redis/write/where-is';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { listItems, type StoredItem, type WalkedState } from '@/lib/store/deletions/deletion-items';

const PAGE = 500;

/** The items in given states, in the order of the plan, a page at a time; states may change while we walk. */
export async function* walkItems(
  run: DeletionRun,
  states: readonly WalkedState[],
  only: readonly number[] | null = null,
): AsyncGenerator<StoredItem[]> {
  const { id } = run.deletion.plan;
  for (let afterSeq = -1; ; ) {
    if (run.hooks.stopRequested() !== null) throw new StopRequested();
    const query = { deletionId: id, states, afterSeq, limit: PAGE };
    const items = await listItems(only ? { ...query, seqs: only } : query);
    if (items.length === 0) return;
    afterSeq = items.at(-1)?.seq ?? afterSeq;
    const removable = await withoutProtected(run, items);
    if (removable.length > 0) yield removable;
  }
}

/**
 * Runs one item's step. What concerns this key alone (a denied command, an answer nobody expected) is written to the
 * item and the others go on; what concerns the server is thrown.
 */
export async function stepOrFail(
  run: DeletionRun,
  items: StoredItem[],
  act: () => Promise<void>,
  /** What one key of many is refused is no reason to leave the others half way: each goes on by itself. */
  alone?: (item: StoredItem) => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    const reason = ownFailure(error);
    if (reason === null) throw error;
    if (alone && items.length > 1) {
      for (const item of items) if (GOES_ON.has(item.state)) await stepOrFail(run, [item], () => alone(item));
      return;
    }
    for (const item of items) {
      if (item.state === 'restoring') {
        await saveItem(run, item, { state: stateAfterRefusal(item), reason });
        continue;
      }
      const begun = item.state !== 'planned' || (await isTombstoned(run, item));
      await saveItem(run, item, {
        // A key that is already tombstoned is not lost: a person decides.
        state: begun && item.state !== 'done' ? 'needs_review' : item.state === 'done' ? 'done' : 'failed',
        reason,
        endedAt: Date.now(),
      });
    }
  }
}

/**
 * Of an undo: what has a copy can be asked for again. Where the last rename may have happened, that must be looked at.
 */
function stateAfterRefusal(item: StoredItem): ItemState {
  const { renaming, before = 'done' } = journalOf(item);
  return renaming ? 'restoring' : before;
}

const GOES_ON = new Set<ItemState>(['planned', 'tombstoned', 'draining']);

/** The refused command may not have been the rename: what carries our name already must stay in a person's sight. */
async function isTombstoned(run: DeletionRun, item: StoredItem): Promise<boolean> {
  if (!journalOf(item).intent || item.mode === 'in_place') return false;
  try {
    const channel = await run.executors.at(item.slot).channel(item.db);
    return (await whereIs(channel, item.name, tombstoneOf(item))).tombstone;
  } catch (error) {
    // It may not even be asked: unknown is not "no".
    if (error instanceof WriteFailure && error.kind === 'denied') return true;
    throw error;
  }
}

/** What an archive cannot tell concerns its keys alone, too. null = it is no matter of one key. */
function ownFailure(error: unknown): CodedMessage | null {
  if (error instanceof WriteFailure) {
    if (error.code === 'DUMPTOOLARGE') return codedMessage('dump_too_large');
    if (error.code === 'TOOLARGE') return codedMessage('element_too_large');
    const reason = OWN_FAILURES[error.kind];
    return reason === undefined ? null : codedMessage(reason, { code: error.code });
  }
  if (!(error instanceof AppError) || !ARCHIVE_FAILURES.has(error.code)) return null;
  // Written to its end by somebody who knew more than this store does.
  return codedMessage(error.details.sealed ? 'archive_ahead' : 'archive_incomplete');
}

const ARCHIVE_FAILURES = new Set<string>(['archive_damaged', 'not_found']);

const OWN_FAILURES: Partial<Record<WriteFailure['kind'], string>> = {
  denied: 'denied',
  wrong_type: 'invariant',
  refused: 'refused',
};
