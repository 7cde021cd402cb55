import type { DehydratedState } from '@tanstack/react-query';

const dated = new WeakMap<DehydratedState, DehydratedState>();

/**
 * The answers of a page with the time at which they arrived, by the clock of this browser. The clock of a server that
 * is ahead would make them newer than what was asked since. Whoever goes back is shown the page of before, whose answers
 * keep the time of their first arrival.
 */
export function dateByArrival(state: DehydratedState, now = Date.now()): DehydratedState {
  const known = dated.get(state);
  if (known) return known;
  // Without a list of answers the browser asks for itself.
  const queries = (state.queries ?? []).map((query) => ({
    ...query,
    dehydratedAt: now,
    state: { ...query.state, dataUpdatedAt: now },
  }));
  const made = { ...state, queries };
  dated.set(state, made);
  return made;
}
