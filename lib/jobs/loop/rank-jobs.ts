import type { ClaimView } from '@/lib/store/claims/claims';

export interface ClaimLimits {
  /** A process with labels takes only jobs of instances that have one of them, because it may reach no other server. */
  labels: readonly string[];
  /** Jobs whose last run in this process has not ended: that run may have lost its lease and still be working. */
  except?: ReadonlySet<string>;
}

/**
 * Returns the queued jobs that a process may run, in the order in which they are taken. A job comes earlier the fewer
 * jobs work on its instance, counting jobs before it in the list; among equals the oldest comes first.
 */
export function rankJobs({ queued, held }: Pick<ClaimView, 'queued' | 'held'>, except?: ReadonlySet<string>): string[] {
  const working = new Map<string, number>();
  for (const id of held) if (id !== null) working.set(id, (working.get(id) ?? 0) + 1);
  return queued
    .filter(({ id }) => !except?.has(id))
    .map(({ id, instanceId }) => {
      const others = instanceId === null ? 0 : (working.get(instanceId) ?? 0);
      if (instanceId !== null) working.set(instanceId, others + 1);
      return { id, others };
    })
    .toSorted((a, b) => a.others - b.others)
    .map(({ id }) => id);
}

interface ClaimChoice {
  /** The jobs that may be taken, in this order. Those that another process is taking at this moment are skipped. */
  ids: string[];
  /** How many of them to take. */
  max: number;
}

/**
 * Chooses at most `slots` of the queued jobs, but no more than a fair share. The processes that run jobs wake together,
 * and jobs that one process takes at once cannot be spread over the others.
 */
export function chooseJobs({ queued, held, workers }: ClaimView, limits: ClaimLimits, slots: number): ClaimChoice {
  const ids = rankJobs({ queued, held }, limits.except);
  const fairShare = Math.ceil(ids.length / Math.max(1, workers));
  return { ids, max: Math.max(0, Math.min(slots, fairShare)) };
}
