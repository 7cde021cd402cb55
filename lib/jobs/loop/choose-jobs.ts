import type { ClaimView } from '@/lib/store/claims/claims';
import { type ClaimLimits, rankJobs } from './rank-jobs';

/** `max` of `ids`, those that nobody else takes at this moment, the first of them before the others. */
export interface ClaimChoice {
  ids: string[];
  max: number;
}

/**
 * As many of the queued jobs as there are `slots`, but no more than a fair part: the processes that run jobs wake
 * together, and what one takes at once the others cannot spread.
 */
export function chooseJobs({ queued, held, workers }: ClaimView, limits: ClaimLimits, slots: number): ClaimChoice {
  const ids = rankJobs({ queued, held }, limits.except);
  const fair = Math.ceil(ids.length / Math.max(1, workers));
  return { ids, max: Math.max(0, Math.min(slots, fair)) };
}
