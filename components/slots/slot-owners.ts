import { SLOT_COUNT } from '@/components/charts/scales/slot-scale';
import type { SlotsReport } from '@/lib/model/reports/reports';

/**
 * Node index per slot; −1 if no node reports the slot. For a shard that was read from a replica only the replica is
 * listed. If both are listed, the master counts; of two masters (during a failover) the first one counts, as in the
 * report.
 */
export function slotOwners(nodes: SlotsReport['nodes']): Int16Array {
  const owners = new Int16Array(SLOT_COUNT).fill(-1);
  const isReplica = ({ role }: (typeof nodes)[number]) => role === 'replica';
  const byRank = [...nodes.filter((node) => !isReplica(node)), ...nodes.filter(isReplica)];
  for (const node of byRank.reverse()) for (const [from, to] of node.ranges) owners.fill(node.node, from, to + 1);
  return owners;
}
