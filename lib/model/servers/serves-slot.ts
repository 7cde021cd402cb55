import type { NodeFacts } from './server-facts';

/**
 * Whether the slot is in one of the joined ranges, ends included. It is a binary search, because it is called for many
 * slots.
 */
export function servesSlot({ slots }: Pick<NodeFacts, 'slots'>, slot: number): boolean {
  let [low, high] = [0, slots.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = slots[middle] as [number, number];
    if (slot < from) high = middle - 1;
    else if (slot > to) low = middle + 1;
    else return true;
  }
  return false;
}

/**
 * Returns the master among nodes that share their slots. During a failover two may report to be master: then the
 * healthy one.
 */
export function findMaster<T extends Pick<NodeFacts, 'healthy'> & { role: string }>(
  nodes: readonly T[],
): T | undefined {
  const masters = nodes.filter(({ role }) => role === 'master');
  return masters.find(({ healthy }) => healthy) ?? masters[0];
}
