import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
import { buildTombstoneNameAt } from '@/lib/deletions/journal/item-names';
import { parseExists } from '@/lib/redis/write/has-key';
import { renameNx } from '@/lib/redis/write/rename-nx';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { createPendingFailure } from './await-deadline';

/** How often to try: renames of earlier attempts may be carried out at the same time, each of them once. */
const TRIES = 5;

/**
 * Gives a tombstone a name that no earlier command contains: a deletion that a proxy still holds finds nothing. The
 * journal lists every name it may have before it is renamed, and after any crash all of them are checked. Returns
 * whether the tombstone exists.
 */
export async function moveTombstone(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const journal = getJournal(item);
  const known = journal.tombstones ?? [0];
  const attempt = Math.max(...known) + 1;
  await saveItem(run, item, { journal: { ...journal, tombstones: [...known, attempt] } });
  const channel = await run.executors.at(item.slot).channel(item.db);
  for (let tried = 0; tried < TRIES; tried++) {
    const current = await findAttempt(run, item, [attempt, ...known]);
    if (current === null || current === attempt) {
      await saveItem(run, item, { journal: { ...getJournal(item), tombstones: [attempt] } });
      return current !== null;
    }
    // If it is gone meanwhile, an earlier rename was carried out, and the next check finds its new name.
    await renameNx(channel, buildTombstoneNameAt(item, current), buildTombstoneNameAt(item, attempt));
  }
  throw createPendingFailure();
}

/** Finishes an interrupted move of a tombstone, before anything else is sent for it. */
export async function settleMove(run: DeletionRun, item: StoredItem): Promise<void> {
  if ((getJournal(item).tombstones ?? []).length > 1) await moveTombstone(run, item);
}

/** Returns the attempt under whose name the tombstone is; null = under none of them. */
async function findAttempt(run: DeletionRun, item: StoredItem, attempts: readonly number[]): Promise<number | null> {
  const channel = await run.executors.at(item.slot).channel(item.db);
  const replies = await channel.callAll(attempts.map((attempt) => ['EXISTS', buildTombstoneNameAt(item, attempt)]));
  const found = replies.map(parseExists);
  return attempts.find((_, index) => found[index]) ?? null;
}
