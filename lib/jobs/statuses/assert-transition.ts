import { AppError } from '@/lib/model/errors';
import { ENDED_STATES, JOB_TRANSITIONS, type JobState } from '@/lib/model/job-states';

/**
 * Throws `conflict` if a job may not change from one state to another. Every change of state is checked here, also
 * those of the runner.
 */
export function assertTransition(id: string, from: JobState, to: JobState): void {
  if (JOB_TRANSITIONS[from].includes(to)) return;
  throw new AppError('conflict', `This job is ${from} and cannot become ${to}.`, { job: id, from, to });
}

/** States of jobs that have not ended. A paused job counts, because a person has to resume or cancel it. */
export const OPEN_STATES: readonly JobState[] = (Object.keys(JOB_TRANSITIONS) as JobState[]).filter(
  (state) => !ENDED_STATES.includes(state),
);
/** States of jobs that a runner holds. */
export const HELD_STATES: readonly JobState[] = ['running', 'waiting', 'pausing', 'cancelling'];
