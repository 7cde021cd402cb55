import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import { freeKey } from '@/lib/redis/drain/free-key';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import type { WritingChannel } from '@/lib/redis/write/types';
import { waitForReplica } from '@/lib/redis/write/wait-for-replica';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** How long a replica may take to receive a write before the work waits and reports that, ms. */
const MAX_REPLICA_WAIT_MS = 2_000;

/**
 * Waits until a replica has the renames, before anything is deleted: after a failover the original names would be back,
 * with half of their elements. All items are of one node and database.
 */
export async function awaitReplicatedRenames(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const lastItem = items.at(-1);
  if (!lastItem) return;
  const channel = await run.executors.getForSlot(lastItem.slot).openPaced(lastItem.db);
  const { replicas } = await readNodeState(channel);
  if (!replicas) return;
  const notMarked = items.filter((item) => !getJournal(item).replicated);
  await saveItems(
    run,
    notMarked.map((item) => ({ item, patch: { journal: { ...getJournal(item), replicated: true } } })),
  );
  // WAIT covers the writes of its own connection only: this command changes nothing and comes after the renames.
  await channel.call(['PERSIST', buildTombstoneName(lastItem)]);
  await waitUntilReplicated(channel);
}

/**
 * Waits until a replica has the deletions, before they are reported as done: writes that a master still accepts while
 * it is being replaced are lost, and the keys would stay tombstoned on the new one.
 */
export async function awaitReplicatedDeletions(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const lastItem = items.filter((item) => getJournal(item).replicated).at(-1);
  if (!lastItem) return;
  const channel = await run.executors.getForSlot(lastItem.slot).openPaced(lastItem.db);
  await freeKey(channel, buildTombstoneName(lastItem));
  await waitUntilReplicated(channel);
}

/**
 * Waits until a replica has the restored keys, before they are reported as undone: a failover would remove them again
 * unnoticed.
 */
export async function awaitReplicatedRestores(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const lastItem = items.at(-1);
  if (!lastItem) return;
  const channel = await run.executors.getForSlot(lastItem.slot).openPaced(lastItem.db);
  const { replicas } = await readNodeState(channel);
  if (!replicas) return;
  await channel.call(['PERSIST', buildTombstoneName(lastItem)]);
  await waitUntilReplicated(channel);
}

async function waitUntilReplicated(channel: WritingChannel): Promise<void> {
  if (!(await waitForReplica(channel, MAX_REPLICA_WAIT_MS)))
    throw new TransientFailure({ code: 'not_replicated', params: {} });
}
