import type { ClaimView } from '@/lib/store/claims/claims';
import { type ClaimLimits, rankJobs } from './rank-jobs';

/**
 * At most `max` of the jobs `ids`, earlier ones first, skipping those that another process is taking at this moment.
 */
export interface ClaimChoice {
  ids: string[];
  max: number;
}

/**
 * Chooses at most `slots` of the queued jobs, but no more than a fair share. The processes that run jobs wake together,
 * and jobs that one process takes at once cannot be spread over the others.
 */
export function chooseJobs({ queued, held, workers }: ClaimView, limits: ClaimLimits, slots: number): ClaimChoice {
  const ids = rankJobs({ queued, held }, limits.except);
  const fair = Math.ceil(ids.length / Math.max(1, workers));
  return { ids, max: Math.max(0, Math.min(slots, fair)) };
}
