import { AppError } from '@/lib/model/errors';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { findMaster, servesSlot } from '@/lib/model/servers/serves-slot';
import type { RedisSession } from './session';

/** Returns the cluster master that serves the slot, undefined when none does. */
export const findSlotMaster = (nodes: readonly NodeFacts[], slot: number): NodeFacts | undefined =>
  findMaster(nodes.filter((node) => servesSlot(node, slot)));

/**
 * Returns the master of each slot of a cluster, by slot. It gives the same answers as `findSlotMaster`, for callers
 * that need many slots.
 */
export function listSlotMasters(nodes: readonly NodeFacts[]): (NodeFacts | undefined)[] {
  const masters: (NodeFacts | undefined)[] = [];
  for (const node of nodes) {
    if (node.role !== 'master') continue;
    for (const [from, to] of node.slots) {
      for (let slot = from; slot <= to; slot++) {
        const other = masters[slot];
        if (other === undefined || (!other.healthy && node.healthy)) masters[slot] = node;
      }
    }
  }
  return masters;
}

/**
 * Returns the master that serves the slot; outside a cluster, the master. Throws `redis_unreachable` when there is
 * none, or the problem of that node. A reader may accept a replica of a standalone server instead (`orReplica`); a
 * replica is never written to.
 */
export function getSlotMaster(session: RedisSession, slot: number, { orReplica = false } = {}): NodeFacts {
  const clustered = session.target.topology === 'cluster';
  const master = clustered ? findSlotMaster(session.nodes, slot) : findMaster(session.nodes);
  const node = master ?? (orReplica && !clustered ? session.nodes[0] : undefined);
  if (!node) throw new AppError('redis_unreachable', `No master serves slot ${slot} now.`, { slot });
  const problem = session.problems.get(node.address);
  if (problem) throw problem;
  return node;
}
