import { AppError } from '@/lib/model/errors';
import type { NodeFacts } from '@/lib/model/server-facts';
import type { RedisSession } from '@/lib/redis/connection/session';
import type { DeletionHooks } from './deletion-hooks';
import { NodeExecutor } from './node-executor';

/**
 * The masters of an instance, each with its executor, opened when first needed. Lives as long as one look at the
 * topology.
 */
export class NodeExecutors {
  private readonly open = new Map<string, NodeExecutor>();

  constructor(
    readonly session: RedisSession,
    private readonly hooks: DeletionHooks,
  ) {}

  /** The executor of the master that serves the slot. Throws `redis_unreachable` where nobody does. */
  at(slot: number): NodeExecutor {
    const node = masterOf(this.session, slot);
    const known = this.open.get(node.address);
    if (known) return known;
    const executor = new NodeExecutor(this.session, node, this.hooks);
    this.open.set(node.address, executor);
    return executor;
  }

  all(): NodeExecutor[] {
    return [...this.open.values()];
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.all().map((executor) => executor.close()));
  }
}

export function masterOf(session: RedisSession, slot: number): NodeFacts {
  const clustered = session.target.topology === 'cluster';
  const masters = session.nodes.filter(
    (node) => node.role === 'master' && (!clustered || node.slots.some(([from, to]) => slot >= from && slot <= to)),
  );
  const node = masters.find((one) => one.healthy) ?? masters[0];
  // A replica is never written to: without a master there is nobody to ask.
  if (!node) throw new AppError('redis_unreachable', `No master serves slot ${slot} now.`, { slot });
  const problem = session.problems?.get(node.address);
  if (problem) throw problem;
  return node;
}
