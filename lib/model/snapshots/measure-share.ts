import type { Job } from '@/lib/model/job';

/** The share of a scan's progress bar at which each phase begins and ends, so that the bar never goes back. */
const SCAN_PHASES: Partial<Record<NonNullable<Job['progress']>['phase'], readonly [number, number]>> = {
  connecting: [0, 0.85],
  scanning: [0, 0.85],
  sampling: [0.85, 0.88],
  sorting: [0.88, 0.94],
  sealing: [0.94, 1],
};

/** Returns how much of a job is done, 0…1, over all of its phases. null = the total amount of work is unknown. */
export function measureShare({ kind, state, progress }: Pick<Job, 'kind' | 'state' | 'progress'>): number | null {
  if (state === 'succeeded') return 1;
  if (!progress?.total) return null;
  // An element that is archived but not removed yet counts half.
  const within = Math.min(1, (progress.done + (progress.archived ?? 0) / 2) / progress.total);
  const [from, to] = (kind === 'scan' && SCAN_PHASES[progress.phase]) || [0, 1];
  return from + (to - from) * within;
}
