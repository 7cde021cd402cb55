import { forEachNode } from '@/lib/redis/connection/for-each-node';
import type { RedisSession } from '@/lib/redis/connection/session';
import { listSlotMasters } from '@/lib/redis/connection/slot-master';

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
  await forEachNode(masters, async ({ address }) => {
    const text = await session
      .client(address)
      .then((client) => client.call('CLUSTER', 'NODES'))
      .catch(() => '');
    for (const slot of parseOpenSlots(String(text))) open.set(slot, owners[slot]?.address ?? '');
  });
  return open;
}

/** `[93-<-node]` is being imported, `[77->-node]` migrated; only the line of the node itself lists them. */
function parseOpenSlots(clusterNodes: string): number[] {
  const ownLine = clusterNodes.split('\n').find((line) => / \S*myself\S* /.test(line)) ?? '';
  return [...ownLine.matchAll(/\[(\d{1,5})-[<>]-/g)].map((match) => Number(match[1]));
}
