import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Opens the connection for a batch, whose items are all of one node and database. If the server must not be written to
 * now, this waits until it may.
 */
export async function openForBatch(
  run: DeletionRun,
  items: readonly StoredItem[],
): Promise<{ executor: NodeExecutor; channel: WritingChannel }> {
  const { slot, db } = items[0]!;
  const executor = run.executors.getForSlot(slot);
  const channel = await executor.openUnpaced(db);
  await executor.rest();
  return { executor, channel };
}
