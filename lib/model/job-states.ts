/**
 * The states of a job. Stopping takes two steps: a person's request sets `pausing`, and the runner sets `paused` at its
 * next safe point. `waiting` is a running job that a signal holds; `reason` says which.
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

/** Maps a state to the states that may follow it. The store refuses every other change. */
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

/** Whether a job in this state may change at any moment. */
export const isActive = (job: { state: JobState } | null): boolean => job !== null && ACTIVE_STATES.includes(job.state);

/** Whether the job is active or paused. */
export const isUnfinished = ({ state }: { state: JobState }): boolean => !ENDED_STATES.includes(state);
