import { AppError } from '@/lib/model/errors';
import { ENDED_STATES, JOB_TRANSITIONS, type JobState } from '@/lib/model/job-states';

/** Every change of state passes here, a person's and the runner's. */
export function assertTransition(id: string, from: JobState, to: JobState): void {
  if (JOB_TRANSITIONS[from].includes(to)) return;
  throw new AppError('conflict', `This job is ${from} and cannot become ${to}.`, { job: id, from, to });
}

/** Not ended: also a paused one, which somebody has to resume or cancel. */
export const OPEN_STATES: readonly JobState[] = (Object.keys(JOB_TRANSITIONS) as JobState[]).filter(
  (state) => !ENDED_STATES.includes(state),
);
/** A runner holds it. */
export const HELD_STATES: readonly JobState[] = ['running', 'waiting', 'pausing', 'cancelling'];
