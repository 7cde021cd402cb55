import type { ClaimView } from '@/lib/store/claims/claims';

export interface ClaimLimits {
  /** A process with labels takes only jobs of instances that name one of them: it may reach no other server. */
  labels: readonly string[];
  /** Jobs whose last run in this process has not ended: it may have lost its lease and still be at work. */
  except?: ReadonlySet<string>;
}

/**
 * The queued jobs that a process may run, in the order in which they are taken: next comes that of the instance on
 * which fewest others work, those before it in the list among them, the oldest of these.
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
