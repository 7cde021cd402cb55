import type { Job } from './job';

/**
 * States of everything long. Stopping takes two words: a person writes `pausing`, the runner answers `paused` at
 * its next safe point. `waiting` is a running job that a signal holds back; `reason` says which.
 */
export const JOB_STATES = [
  'queued',
  'running',
  'waiting',
  'pausing',
  'paused',
  'cancelling',
  'cancelled',
  'succeeded',
  'failed',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** state → states it may go to. The store refuses every other change. */
export const JOB_TRANSITIONS: Record<JobState, readonly JobState[]> = {
  queued: ['running', 'paused', 'cancelled', 'failed'],
  running: ['waiting', 'pausing', 'cancelling', 'succeeded', 'failed', 'queued'],
  waiting: ['running', 'pausing', 'cancelling', 'succeeded', 'failed', 'queued'],
  pausing: ['paused', 'cancelling', 'succeeded', 'failed'],
  paused: ['queued', 'cancelled'],
  cancelling: ['cancelled', 'succeeded', 'failed'],
  cancelled: [],
  succeeded: [],
  failed: ['queued', 'cancelled'],
};
export const ACTIVE_STATES: readonly JobState[] = ['queued', 'running', 'waiting', 'pausing', 'cancelling'];
export const ENDED_STATES: readonly JobState[] = ['cancelled', 'succeeded', 'failed'];

/** Where on the one bar of a scan each of its phases begins and ends, so that it never falls back. */
const SCAN_PHASES: Partial<Record<NonNullable<Job['progress']>['phase'], readonly [number, number]>> = {
  connecting: [0, 0.85],
  scanning: [0, 0.85],
  sampling: [0.85, 0.88],
  sorting: [0.88, 0.94],
  sealing: [0.94, 1],
};

/** How much of a job is done, 0…1, over all of its phases. null: nobody knows how much there is to do. */
export function measureShare({ kind, state, progress }: Pick<Job, 'kind' | 'state' | 'progress'>): number | null {
  if (state === 'succeeded') return 1;
  if (!progress?.total) return null;
  const within = Math.min(1, progress.done / progress.total);
  const [from, to] = (kind === 'scan' && SCAN_PHASES[progress.phase]) || [0, 1];
  return from + (to - from) * within;
}
