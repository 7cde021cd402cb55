import type { ClaimView } from '@/lib/store/jobs-to-take';
import { type ClaimLimits, chooseJob } from './choose-job';

/**
 * As many of the queued jobs as there are `slots`, one chosen after the other, but no more than a fair part: the
 * processes that run jobs wake together, and what one takes at once the others cannot spread.
 */
export function chooseJobs({ queued, held, workers }: ClaimView, limits: ClaimLimits, slots: number): string[] {
  const mine = queued.filter(
    ({ id, label }) => !limits.except?.has(id) && (label === null || limits.labels.includes(label)),
  );
  const fair = Math.ceil(mine.length / Math.max(1, workers));
  const chosen: string[] = [];
  const view = { queued: mine, held: [...held] };
  while (chosen.length < Math.min(slots, fair)) {
    const id = chooseJob(view, limits);
    if (id === null) break;
    chosen.push(id);
    view.held.push(view.queued.find((one) => one.id === id)?.instanceId ?? null);
    view.queued = view.queued.filter((one) => one.id !== id);
  }
  return chosen;
}
