import { AppError } from '@/lib/model/errors';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { masterAmong, servesSlot } from '@/lib/model/servers/serves-slot';
import type { RedisSession } from './session';

/** The master of a cluster that serves the slot. */
export const masterServing = (nodes: readonly NodeFacts[], slot: number): NodeFacts | undefined =>
  masterAmong(nodes.filter((node) => servesSlot(node, slot)));

/**
 * The master that serves the slot; outside a cluster the master. Throws `redis_unreachable` where nobody does. A reader
 * may take a replica of a standalone server instead (`orReplica`); a replica is never written to.
 */
export function masterOfSlot(session: RedisSession, slot: number, { orReplica = false } = {}): NodeFacts {
  const clustered = session.target.topology === 'cluster';
  const master = clustered ? masterServing(session.nodes, slot) : masterAmong(session.nodes);
  const node = master ?? (orReplica && !clustered ? session.nodes[0] : undefined);
  if (!node) throw new AppError('redis_unreachable', `No master serves slot ${slot} now.`, { slot });
  const problem = session.problems?.get(node.address);
  if (problem) throw problem;
  return node;
}
