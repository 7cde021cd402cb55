import type { DehydratedState } from '@tanstack/react-query';

const dated = new WeakMap<DehydratedState, DehydratedState>();

/**
 * Dates the answers of a page by their arrival, by the clock of this browser. If the clock of the server is ahead, its
 * dates would make them newer than answers that were requested later. When a person goes back, the earlier page is
 * shown, and its answers keep the time of their first arrival.
 */
export function dateByArrivalTime(state: DehydratedState, now = Date.now()): DehydratedState {
  const known = dated.get(state);
  if (known) return known;
  // Without a list of answers the browser requests them itself.
  const queries = (state.queries ?? []).map((query) => ({
    ...query,
    dehydratedAt: now,
    state: { ...query.state, dataUpdatedAt: now },
  }));
  const made = { ...state, queries };
  dated.set(state, made);
  return made;
}
