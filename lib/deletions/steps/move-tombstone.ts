import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneAt } from '@/lib/deletions/journal/item-names';
import { existsOf } from '@/lib/redis/write/exists';
import { renameNx } from '@/lib/redis/write/rename-nx';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A rename of an earlier attempt may be carried out beside ours, each of them once. */
const TRIES = 5;

/**
 * Gives what is tombstoned a name that no command on its way knows: a deletion that a proxy still holds finds nothing.
 * The journal holds every name it may carry before it is renamed, and after any crash all of them are asked. Returns
 * whether it is there at all.
 */
export async function moveTombstone(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const journal = journalOf(item);
  const known = journal.tombstones ?? [0];
  const attempt = Math.max(...known) + 1;
  await saveItem(run, item, { journal: { ...journal, tombstones: [...known, attempt] } });
  const channel = await run.executors.at(item.slot).channel(item.db);
  for (let tried = 0; tried < TRIES; tried++) {
    const at = await whichOf(run, item, [attempt, ...known]);
    if (at === null || at === attempt) {
      await saveItem(run, item, { journal: { ...journalOf(item), tombstones: [attempt] } });
      return at !== null;
    }
    // Gone meanwhile: an earlier rename was carried out, and the next look finds where to.
    await renameNx(channel, tombstoneAt(item, at), tombstoneAt(item, attempt));
  }
  throw new TransientFailure({
    code: 'connection_lost',
    params: { message: 'An earlier command may still be on its way.' },
  });
}

/** Before anything is asked of a tombstone that was being renamed when we were cut off. */
export async function settleMove(run: DeletionRun, item: StoredItem): Promise<void> {
  if ((journalOf(item).tombstones ?? []).length > 1) await moveTombstone(run, item);
}

async function whichOf(run: DeletionRun, item: StoredItem, attempts: readonly number[]): Promise<number | null> {
  const channel = await run.executors.at(item.slot).channel(item.db);
  const replies = await channel.callAll(attempts.map((attempt) => ['EXISTS', tombstoneAt(item, attempt)]));
  const found = replies.map(existsOf);
  return attempts.find((_, index) => found[index]) ?? null;
}
