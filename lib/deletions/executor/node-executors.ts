import type { RedisSession } from '@/lib/redis/connection/session';
import { getSlotMaster } from '@/lib/redis/connection/slot-master';
import type { DeletionHooks } from './deletion-hooks';
import { NodeExecutor } from './node-executor';

/**
 * The masters of an instance, each with its executor, which is opened when first used. It is valid for one turn of a
 * run: each turn reads the topology again.
 */
export class NodeExecutors {
  private readonly executors = new Map<string, NodeExecutor>();

  constructor(
    readonly session: RedisSession,
    private readonly hooks: DeletionHooks,
  ) {}

  /** Returns the executor of the master that serves the slot. Throws `redis_unreachable` if no master serves it. */
  getForSlot(slot: number): NodeExecutor {
    const node = getSlotMaster(this.session, slot);
    const known = this.executors.get(node.address);
    if (known) return known;
    const executor = new NodeExecutor(this.session, node, this.hooks);
    this.executors.set(node.address, executor);
    return executor;
  }

  listOpened(): NodeExecutor[] {
    return [...this.executors.values()];
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.listOpened().map((executor) => executor.close()));
  }
}
