import type { NodeFacts } from './server-facts';

/** Whether the slot lies in one of the ranges, whose ends belong to them. */
export const servesSlot = ({ slots }: Pick<NodeFacts, 'slots'>, slot: number): boolean =>
  slots.some(([from, to]) => slot >= from && slot <= to);
