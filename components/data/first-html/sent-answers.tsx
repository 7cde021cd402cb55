'use client';
import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** Puts the answers that came with the first HTML of a page into the cache. */
export function SentAnswers({ state, children }: { state: DehydratedState; children: ReactNode }) {
  return <HydrationBoundary state={dateByArrivalTime(state)}>{children}</HydrationBoundary>;
}

/** Answers as sent → the same answers with the time of their first arrival. */
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
  const result = { ...state, queries };
  dated.set(state, result);
  return result;
}
