'use client';
import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dateByArrivalTime } from './date-by-arrival';

/** Puts the answers that came with the page into the cache. */
export function SentAnswers({ state, children }: { state: DehydratedState; children: ReactNode }) {
  return <HydrationBoundary state={dateByArrivalTime(state)}>{children}</HydrationBoundary>;
}
