import type { ScheduleInput } from '@/lib/model/schedules/schedule';
import { checkDueTimes, listDueTimes, refuse } from './due-times';
import { findOpening } from './windows';

/** How many due times are tried against the windows: with a daily one about two months. */
const TRIED = 60;
const YEARS_MS = 5 * 366 * 86_400_000;

/** Throws `bad_request` with what is wrong, if the schedule could never begin a scan. */
export function checkSchedule(input: ScheduleInput, now: number): void {
  checkDueTimes(input, now);
  if (input.windows.some(({ from, to }) => from === to))
    throw refuse('windows', 'empty_window', 'A window that closes when it opens is never open. Choose another end.');
  if (input.blackout.some(({ from, to }) => from > to))
    throw refuse('blackout', 'blackout', 'A blackout ends before it begins. Exchange its days.');
  // A blackout ends, so only the windows can close every due time.
  const windows = { ...input, blackout: [] };
  const times = listDueTimes(input, now, now + YEARS_MS, TRIED);
  if (times.every((due) => findOpening(windows, due, due + input.graceHours * 3_600_000) === null))
    throw refuse(
      'windows',
      'closed',
      `No window opens within ${input.graceHours} hours after a due time, so no scan would ever begin. Change the times or the windows.`,
    );
}
