import type { ClaimView } from '@/lib/store/jobs-to-take';

export interface ClaimLimits {
  /** Of this process. */
  labels: readonly string[];
  /** How many jobs all processes together may hold; null = no limit. */
  atOnce: number | null;
  /** Jobs whose last run in this process has not ended: it may have lost its lease and still be at work. */
  except?: ReadonlySet<string>;
}

/**
 * Of the queued jobs that this process may run: that of the instance on which fewest others work, the oldest among
 * them. null = none, or as many are held as may be.
 */
export function chooseJob(
  { queued, held }: Pick<ClaimView, 'queued' | 'held'>,
  { labels, atOnce, except }: ClaimLimits,
): string | null {
  if (atOnce !== null && held.length >= atOnce) return null;
  let best: { id: string; others: number } | null = null;
  for (const { id, instanceId, label } of queued) {
    if (except?.has(id) || (label !== null && !labels.includes(label))) continue;
    const others = instanceId === null ? 0 : held.filter((one) => one === instanceId).length;
    if (best === null || others < best.others) best = { id, others };
  }
  return best?.id ?? null;
}
