import { SLOT_COUNT } from '@/components/charts/scales/slot-scale';
import type { SlotsReport } from '@/lib/model/reports/reports';

/** Node index per slot; −1 where no node says it holds it. Replicas repeat their master's ranges and do not count. */
export function slotOwners(nodes: SlotsReport['nodes']): Int16Array {
  const owners = new Int16Array(SLOT_COUNT).fill(-1);
  const masters = nodes.filter((node) => node.role !== 'replica');
  for (const node of masters.length > 0 ? masters : nodes) {
    for (const [from, to] of node.ranges) owners.fill(node.node, from, to + 1);
  }
  return owners;
}
