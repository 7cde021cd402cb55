import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneNameAt } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { parseExists } from '@/lib/redis/write/has-key';
import { renameNx } from '@/lib/redis/write/rename-nx';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { createPendingFailure } from './await-deadline';

/** How often to try: renames of earlier attempts may be carried out at the same time, each of them once. */
const MAX_ATTEMPTS = 5;

/**
 * Gives a tombstone a name that no earlier command contains: a deletion that a proxy still holds finds nothing. The
 * journal lists every name it may have before it is renamed, and after any crash all of them are checked. Returns
 * whether the tombstone exists.
 */
export async function moveTombstone(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const journal = getJournal(item);
  const knownAttempts = journal.tombstones ?? [0];
  const attempt = Math.max(...knownAttempts) + 1;
  await saveItem(run, item, { journal: { ...journal, tombstones: [...knownAttempts, attempt] } });
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const current = await findAttemptOfTombstone(run, item, [attempt, ...knownAttempts]);
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
async function findAttemptOfTombstone(
  run: DeletionRun,
  item: StoredItem,
  attempts: readonly number[],
): Promise<number | null> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const replies = await channel.callAll(attempts.map((attempt) => ['EXISTS', buildTombstoneNameAt(item, attempt)]));
  const exists = replies.map(parseExists);
  return attempts.find((_, index) => exists[index]) ?? null;
}
