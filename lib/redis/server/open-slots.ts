import type { RedisSession } from '@/lib/redis/connection/session';
import { listSlotMasters } from '@/lib/redis/connection/slot-master';

/** The number of nodes that are queried at the same time; a cluster may have hundreds. */
const AT_ONCE = 16;

/**
 * Returns the slots that are being moved from one master to another (MIGRATING or IMPORTING), each with the address of
 * the master that owns it. Only the two nodes themselves know this, so every master is queried. A node that cannot be
 * queried contributes none.
 */
export async function readOpenSlots(session: RedisSession): Promise<Map<number, string>> {
  const open = new Map<number, string>();
  if (session.target.topology !== 'cluster') return open;
  const masters = session.nodes.filter((node) => node.role !== 'replica');
  const owners = listSlotMasters(masters);
  const queue = masters.values();
  const ask = async () => {
    for (const { address } of queue) {
      const text = await session
        .client(address)
        .then((client) => client.call('CLUSTER', 'NODES'))
        .catch(() => '');
      for (const slot of parseOpenSlots(String(text))) open.set(slot, owners[slot]?.address ?? '');
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, masters.length) }, ask));
  return open;
}

/** `[93-<-node]` is being imported, `[77->-node]` migrated; only the line of the node itself lists them. */
export function parseOpenSlots(clusterNodes: string): number[] {
  const mine = clusterNodes.split('\n').find((line) => / \S*myself\S* /.test(line)) ?? '';
  return [...mine.matchAll(/\[(\d{1,5})-[<>]-/g)].map((match) => Number(match[1]));
}
