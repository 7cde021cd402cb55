import type { NodeFacts } from '@/lib/model/servers/server-facts';
import type { ScanTarget } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';

export interface ChosenNode {
  node: NodeFacts;
  /** The slots that are read from this node: its own, or its master's when a replica is read. */
  slots: [number, number][];
}

/** A shard that is not read. `slots`: the number of slots it serves. */
interface NodeNotRead {
  address: string;
  reason: string;
  slots: number;
}

/** Addresses that are not connected to: nobody has confirmed them, or only the registered ones are to be used. */
interface ExcludedNodes {
  unconfirmed: ReadonlySet<string>;
  notUsed: ReadonlySet<string>;
}

/**
 * Chooses the process that is read for each shard. `auto` takes a healthy replica, which costs the master nothing, or
 * else the master; `replica` and `primary` allow only that role. A node in `begunAddresses` that still serves its shard
 * is kept, because another node would have to be read from the start. A shard without a suitable node is returned in
 * `notRead`.
 */
export function chooseNodes(
  nodes: NodeFacts[],
  target: ScanTarget,
  begunAddresses: ReadonlySet<string> = new Set(),
  { unconfirmed, notUsed }: ExcludedNodes = { unconfirmed: new Set(), notUsed: new Set() },
): { chosen: ChosenNode[]; notRead: NodeNotRead[] } {
  const chosen: ChosenNode[] = [];
  const notRead: NodeNotRead[] = [];
  const addNotRead = ({ address, slots }: NodeFacts, reason: string) =>
    notRead.push({ address, reason, slots: slots.reduce((count, [from, to]) => count + to - from + 1, 0) });
  const masters = nodes.filter((node) => node.role !== 'replica');
  const findHealthyReplicas = (address: string) =>
    nodes.filter((node) => node.role === 'replica' && node.masterAddress === address && node.healthy);
  const isCluster = nodes.length > 1 && nodes.some((node) => node.slots.length > 0);
  for (const master of masters) {
    // A cluster master without slots holds no keys.
    if (isCluster && master.slots.length === 0) continue;
    const replicas = target === 'primary' ? [] : findHealthyReplicas(master.address);
    const keepsMaster = target === 'auto' && master.healthy && begunAddresses.has(master.address);
    const replica = keepsMaster
      ? undefined
      : (replicas.find(({ address }) => begunAddresses.has(address)) ?? replicas[0]);
    if (replica) chosen.push({ node: replica, slots: master.slots });
    else if (target === 'replica') addNotRead(master, 'no_healthy_replica');
    else if (unconfirmed.has(master.address)) addNotRead(master, 'not_confirmed');
    else if (notUsed.has(master.address)) addNotRead(master, 'not_used');
    else if (!master.healthy) addNotRead(master, 'unreachable');
    else chosen.push({ node: master, slots: master.slots });
  }
  // The instance was registered with the address of a replica and no master is known, so the given nodes are read.
  if (masters.length === 0) for (const node of nodes) if (node.healthy) chosen.push({ node, slots: node.slots });
  return { chosen, notRead: notRead };
}

/** Returns the addresses of a session that are not connected to on purpose. */
export function listExcluded({ problems = new Map() }: Pick<RedisSession, 'problems'>): ExcludedNodes {
  const list = (wanted: string) =>
    new Set([...problems].flatMap(([address, { code }]) => (code === wanted ? [address] : [])));
  return { unconfirmed: list('destination_unconfirmed'), notUsed: list('node_not_used') };
}
