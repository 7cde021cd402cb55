import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTemporaryNameAt, buildTombstoneNameAt } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { freeKey } from '@/lib/redis/drain/free-key';
import type { WritingChannel } from '@/lib/redis/write/types';
import { unlinkKeys } from '@/lib/redis/write/unlink-keys';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Returns the state of an item before this undo. For an item that was given up it is the state before that, because its
 * server answers again.
 */
export function getStateBeforeUndo(item: StoredItem): StoredItem['state'] {
  const { before = 'done', gaveUp = 'needs_review' } = getJournal(item);
  const state = item.state === 'given_up' ? gaveUp : item.state;
  if (state === 'planned') return 'needs_review';
  return state === 'restoring' ? before : state;
}

/**
 * Notes that the undo begins, with new internal names: an element, a deletion or a rename that an earlier attempt has
 * sent and that arrives only now must not affect what this attempt builds.
 */
export async function beginUndo(run: DeletionRun, item: StoredItem, stateBefore: StoredItem['state']): Promise<void> {
  const journal = getJournal(item);
  const attempt = (journal.attempt ?? 0) + 1;
  await saveItem(run, item, {
    state: 'restoring',
    reason: null,
    journal: { ...journal, before: stateBefore, renaming: false, attempt },
  });
}

/** Ends an undo that was refused: the item gets its earlier state. If only a part was restored, a person decides. */
export async function endRefusedUndo(
  run: DeletionRun,
  item: StoredItem,
  stateBefore: StoredItem['state'],
  reason: CodedMessage,
): Promise<void> {
  const { renaming: _, deadline: __, ...journal } = getJournal(item);
  const state = reason.code === 'count_short' ? 'needs_review' : stateBefore;
  await saveItem(run, item, { state, reason, journal });
}

/** After more attempts than this some keys stay; the search for internal keys shows them. */
const MAX_CLEARED_ATTEMPTS = 64;

/** Deletes what earlier attempts have built: these are internal keys that nobody reads. */
export async function deleteTemporaries(run: DeletionRun, item: StoredItem): Promise<void> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  await freeAll(
    channel,
    listAttempts(getJournal(item).attempt ?? 0).map((attempt) => buildTemporaryNameAt(item, attempt)),
  );
}

/** Deletes, once the key is restored, what late commands of earlier attempts have created again. */
export async function deleteLateKeys(run: DeletionRun, item: StoredItem): Promise<void> {
  const { attempt = 0, tombstones = [0] } = getJournal(item);
  if (attempt < 2) return;
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const temporaryNames = listAttempts(attempt).map((earlier) => buildTemporaryNameAt(item, earlier));
  // The first name of a tombstone is never deleted: a key under it was renamed late, and may belong to somebody.
  const tombstoneNames = listAttempts(Math.max(...tombstones)).flatMap((earlier) =>
    earlier > 0 ? [buildTombstoneNameAt(item, earlier)] : [],
  );
  await freeAll(channel, [...temporaryNames, ...tombstoneNames]);
}

/** Deletes keys that are all in one slot. */
async function freeAll(channel: WritingChannel, keys: readonly Buffer[]): Promise<void> {
  if (await unlinkKeys(channel, keys)) return;
  for (const key of keys) await freeKey(channel, key);
}

const listAttempts = (attempt: number) =>
  Array.from({ length: attempt + 1 }, (_, index) => index).slice(-MAX_CLEARED_ATTEMPTS);
