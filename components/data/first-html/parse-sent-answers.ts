import type { DehydratedState } from '@tanstack/react-query';
import { fromColumns } from './columns-of-rows';

/** By how much the clock of the server was ahead of ours when an answer of it arrived soonest, ms; negative: behind. */
let aheadMs = Number.NEGATIVE_INFINITY;

/** `inColumns`: its lists of objects are written as columns (text-of-answers.ts). */
type SentQuery = DehydratedState['queries'][number] & { inColumns?: boolean };

/**
 * The answers of a page as the cache takes them, their times by the clock of this browser. Whoever goes back gets the
 * page of before: by a clock that is ahead its answers would be newer than what was asked since, and replace it.
 */
export function parseSentAnswers(text: string, now = Date.now()): DehydratedState {
  const state = JSON.parse(text) as DehydratedState;
  // As lenient as what hydrates it: without queries the browser asks for itself.
  const queries: SentQuery[] = state.queries ?? [];
  for (const query of queries) if (query.inColumns) query.state.data = fromColumns(query.state.data);
  for (const { dehydratedAt } of queries)
    if (dehydratedAt !== undefined) aheadMs = Math.max(aheadMs, dehydratedAt - now);
  if (Number.isFinite(aheadMs)) for (const query of queries) query.state.dataUpdatedAt -= aheadMs;
  return state;
}
