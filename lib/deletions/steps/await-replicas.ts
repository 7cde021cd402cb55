import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { journalOf, saveItems } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { freeKey } from '@/lib/redis/drain/free-key';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { replicaFollowed } from '@/lib/redis/write/replica-followed';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** How long a replica may take to hear of a write before the work waits and says so. */
const REPLICA_MS = 2_000;

/**
 * Nothing is removed before a replica knows of the renames: a failover would bring the old names back, half empty. All
 * items are of one node and database.
 */
export async function awaitReplicas(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const last = items.at(-1);
  if (!last) return;
  const channel = await run.executors.at(last.slot).channel(last.db);
  const { replicas } = await readNodeState(channel);
  if (!replicas) return;
  const unmarked = items.filter((item) => !journalOf(item).replicated);
  await saveItems(
    run,
    unmarked.map((item) => ({ item, patch: { journal: { ...journalOf(item), replicated: true } } })),
  );
  // WAIT speaks of the writes of its own connection: this one changes nothing, and stands behind the renames.
  await channel.call(['PERSIST', tombstoneOf(last)]);
  await followed(channel);
}

/**
 * Nothing is called done before a replica has followed the end: what a master that is being replaced still takes is
 * lost with it, and the keys would stay tombstoned on the new one.
 */
export async function awaitRemoved(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const last = items.filter((item) => journalOf(item).replicated).at(-1);
  if (!last) return;
  const channel = await run.executors.at(last.slot).channel(last.db);
  await freeKey(channel, tombstoneOf(last));
  await followed(channel);
}

/**
 * Nothing is called undone before a replica has it: a failover would take the keys away again, and nobody would know.
 */
export async function awaitRestored(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  const last = items.at(-1);
  if (!last) return;
  const channel = await run.executors.at(last.slot).channel(last.db);
  const { replicas } = await readNodeState(channel);
  if (!replicas) return;
  await channel.call(['PERSIST', tombstoneOf(last)]);
  await followed(channel);
}

async function followed(channel: WritingChannel): Promise<void> {
  if (!(await replicaFollowed(channel, REPLICA_MS))) throw new TransientFailure({ code: 'not_replicated', params: {} });
}
