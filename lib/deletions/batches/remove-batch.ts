import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { countElements, getJournal, saveItems, saveNotedPatches } from '@/lib/deletions/journal/write-journal';
import { awaitReplicatedRenames } from '@/lib/deletions/steps/await-replicas';
import { computeEndTime } from '@/lib/deletions/steps/finish-item';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { drainBatch } from './drain-batch';
import { openForBatch } from './open-for-batch';
import { tombstoneBatch } from './tombstone-batch';

/**
 * Deletes or quarantines many small keys of one node and database in the steps that one large key takes: read,
 * tombstone, copy, sync, delete. Each key is checked on its own; all are journalled together. Keys that have become
 * large are left to the path for single keys.
 */
export async function removeBatch(run: DeletionRun, items: StoredItem[], archive: RunArchive): Promise<void> {
  const { executor, channel } = await openForBatch(run, items);
  const tombstoned = await tombstoneBatch(run, items, channel, executor);
  try {
    await awaitReplicatedRenames(run, tombstoned);
    if (items[0]?.mode === 'quarantine') await quarantineItems(run, tombstoned);
    else await drainBatch(run, tombstoned, channel, archive);
  } catch (error) {
    // Whatever stopped the batch, the tombstoned keys are reported as tombstoned. If the store fails too, the names on
    // the server show it.
    await saveNotedPatches(run, tombstoned).catch(() => {});
    throw error;
  }
  run.meter.addDone(countElements(...tombstoned), tombstoned.length);
  await executor.rest();
}

async function quarantineItems(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const { quarantineHours } = run.deletion.plan.options as DeletionOptions;
  const purgeAt = computeEndTime(quarantineHours, await readObservedNow());
  await saveItems(
    run,
    items.map((item) => ({
      item,
      patch: { state: 'quarantined', undoUntil: purgeAt, journal: { ...getJournal(item), purgeAt } },
    })),
  );
}
