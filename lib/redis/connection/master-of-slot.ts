import { AppError } from '@/lib/model/errors';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import type { RedisSession } from './session';

export const servesSlot = ({ slots }: Pick<NodeFacts, 'slots'>, slot: number): boolean =>
  slots.some(([from, to]) => slot >= from && slot <= to);

/**
 * The master that serves the slot; outside a cluster the master. Throws `redis_unreachable` where nobody does. A reader
 * may take a replica of a standalone server instead (`orReplica`); a replica is never written to.
 */
export function masterOfSlot(session: RedisSession, slot: number, { orReplica = false } = {}): NodeFacts {
  const clustered = session.target.topology === 'cluster';
  const masters = session.nodes.filter((node) => node.role === 'master' && (!clustered || servesSlot(node, slot)));
  const healthy = masters.find((one) => one.healthy) ?? masters[0];
  const node = healthy ?? (orReplica && !clustered ? session.nodes[0] : undefined);
  if (!node) throw new AppError('redis_unreachable', `No master serves slot ${slot} now.`, { slot });
  const problem = session.problems?.get(node.address);
  if (problem) throw problem;
  return node;
}
