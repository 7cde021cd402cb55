import type { ClaimView } from '@/lib/store/claims/claims';

export interface ClaimLimits {
  /** A process with labels takes only jobs of instances that have one of them, because it may reach no other server. */
  labels: readonly string[];
  /** Jobs whose last run in this process has not ended: that run may have lost its lease and still be working. */
  excludedJobs?: ReadonlySet<string>;
}

/**
 * Returns the queued jobs that a process may run, in the order in which they are taken. A job comes earlier the fewer
 * jobs work on its instance, counting jobs before it in the list; among equals the oldest comes first.
 */
export function rankJobs(
  { queued, held }: Pick<ClaimView, 'queued' | 'held'>,
  excludedJobs?: ReadonlySet<string>,
): string[] {
  const jobsByInstance = new Map<string, number>();
  for (const instanceId of held)
    if (instanceId !== null) jobsByInstance.set(instanceId, (jobsByInstance.get(instanceId) ?? 0) + 1);
  return queued
    .filter(({ id }) => !excludedJobs?.has(id))
    .map(({ id, instanceId }) => {
      const jobsBefore = instanceId === null ? 0 : (jobsByInstance.get(instanceId) ?? 0);
      if (instanceId !== null) jobsByInstance.set(instanceId, jobsBefore + 1);
      return { id, jobsBefore };
    })
    .toSorted((a, b) => a.jobsBefore - b.jobsBefore)
    .map(({ id }) => id);
}

interface ClaimChoice {
  /** The jobs that may be taken, in this order. Those that another process is taking at this moment are skipped. */
  jobIds: string[];
  /** How many of them to take. */
  maxJobs: number;
}

/**
 * Chooses at most `freePlaces` of the queued jobs, but no more than a fair share. The processes that run jobs wake
 * together, and jobs that one process takes at once cannot be spread over the others.
 */
export function chooseJobs({ queued, held, workers }: ClaimView, limits: ClaimLimits, freePlaces: number): ClaimChoice {
  const jobIds = rankJobs({ queued, held }, limits.excludedJobs);
  const fairShare = Math.ceil(jobIds.length / Math.max(1, workers));
  return { jobIds, maxJobs: Math.max(0, Math.min(freePlaces, fairShare)) };
}
