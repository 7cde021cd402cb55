import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { saveItems, saveNotedPatches } from '@/lib/deletions/journal/write-journal';
import { awaitReplicatedDeletions } from '@/lib/deletions/steps/await-replicas';
import { buildFinishedPatch } from '@/lib/deletions/steps/finish-item';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import type { WritingChannel } from '@/lib/redis/write/types';
import { removeAllSmall } from '@/lib/redis/write/unlink-keys';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { copyBatch } from './copy-batch';

/**
 * Finishes small keys that are tombstoned: archives them if that is their mode, then deletes them. All items are of one
 * node, database and mode.
 */
export async function drainBatch(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  archive: RunArchive,
): Promise<void> {
  if (items.length === 0) return;
  const isArchived = items[0]?.mode === 'archive';
  const toDelete = isArchived ? await copyBatch(run, items, channel, archive) : items;
  if (toDelete.length === 0) return;
  // From here on both names are gone. Only the journal distinguishes what Colonnade deleted from what was never
  // touched.
  await saveNotedPatches(run, toDelete);
  // If the server refuses, the tombstones are still there, and none of these items may be reported as done.
  await removeAllSmall(
    channel,
    toDelete.map((item) => buildTombstoneName(item)),
  );
  await awaitReplicatedDeletions(run, toDelete);
  const now = await readObservedNow();
  await saveItems(
    run,
    toDelete.map((item) => ({ item, patch: buildFinishedPatch(run, item, { isArchived, now }) })),
  );
}
