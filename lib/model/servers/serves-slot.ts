import type { NodeFacts } from './server-facts';

/** Whether the slot lies in one of the ranges, whose ends belong to them. */
export const servesSlot = ({ slots }: Pick<NodeFacts, 'slots'>, slot: number): boolean =>
  slots.some(([from, to]) => slot >= from && slot <= to);

/** Of nodes that share their slots; two may say they are master during a failover: the healthy one then. */
export function masterAmong<T extends Pick<NodeFacts, 'healthy'> & { role: string }>(
  nodes: readonly T[],
): T | undefined {
  const masters = nodes.filter(({ role }) => role === 'master');
  return masters.find(({ healthy }) => healthy) ?? masters[0];
}
