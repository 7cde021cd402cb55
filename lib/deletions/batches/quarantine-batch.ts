import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { countElements, getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import { awaitReplicatedRenames } from '@/lib/deletions/steps/await-replicas';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { drainBatch } from './drain-batch';
import { openForBatch } from './open-for-batch';
import { isSmallKey } from './small-key';

/**
 * Whether a small key was renamed whole and nothing of it is copied yet: its quarantine is over, or its run was
 * interrupted.
 */
export const isQuarantinedWhole = (item: StoredItem): boolean => {
  const { look, archives, position, purgeAt } = getJournal(item);
  const isRenamed = item.state === 'quarantined' || item.state === 'tombstoned';
  // A run must not empty the keys that it leaves in quarantine.
  const staysInQuarantine = item.mode === 'quarantine' && purgeAt === undefined;
  const isUntouched = look != null && archives === undefined && position === undefined;
  return isRenamed && !staysInQuarantine && isSmallKey(item) && isUntouched;
};

/**
 * Archives and deletes small keys that are tombstoned already, in one archive like any other batch. Both names are
 * checked first; a key for which they are not as expected is handled on its own later.
 */
export async function drainQuarantined(run: DeletionRun, items: StoredItem[], archive: RunArchive): Promise<void> {
  const { executor, channel } = await openForBatch(run, items);
  const replies = await channel.callAll(
    items.flatMap((item) => [
      ['EXISTS', item.name],
      ['EXISTS', buildTombstoneName(item)],
    ]),
  );
  for (const reply of replies) if (reply instanceof Error) throw reply;
  const asExpected = items.filter((_, index) => replies[index * 2] === 0 && replies[index * 2 + 1] === 1);
  await awaitReplicatedRenames(run, asExpected);
  await drainBatch(run, asExpected, channel, archive);
  run.meter.addDone(countElements(...asExpected), asExpected.length);
  await executor.rest();
}

/** Writes to the journals, before a purge, that the quarantine is over and which mode follows. */
export async function endQuarantine(run: DeletionRun, items: StoredItem[], mode: StoredItem['mode']): Promise<void> {
  await saveItems(
    run,
    items
      .filter(({ state }) => state === 'quarantined')
      .map((item) => ({ item, patch: { state: 'tombstoned', undoUntil: null, mode } })),
  );
}
