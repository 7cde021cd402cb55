'use client';
import { HydrationBoundary } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { parseSentAnswers } from './parse-sent-answers';

/**
 * Puts the answers that came within the page into the cache. `state`: JSON, as the API hands answers over. React would
 * copy an object value by value on the server and build it anew in the browser, and takes none without a prototype.
 */
export function SentAnswers({ state, children }: { state: string; children: ReactNode }) {
  const parsed = useMemo(() => parseSentAnswers(state), [state]);
  return <HydrationBoundary state={parsed}>{children}</HydrationBoundary>;
}
