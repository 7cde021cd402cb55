/** When a schedule is due. croner only calculates; nothing here starts a timer. */

import { Cron } from 'croner';
import { AppError } from '@/lib/model/errors';
import type { ScheduleInput } from '@/lib/model/schedules/schedule';

/** The parts of a schedule that decide when it is due. */
export type CronInZone = Pick<ScheduleInput, 'cron' | 'zone'>;

/** Patterns by zone and text: a tick asks for the same ones again, and parsing costs more than the question. */
const patterns = new Map<string, Cron>();
const MAX_PATTERNS = 1_000;

export function openPattern({ cron, zone }: CronInZone): Cron {
  const key = `${zone} ${cron}`;
  const known = patterns.get(key);
  if (known) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const pattern = new Cron(cron, { timezone: zone, mode: '5-part', paused: true });
  patterns.set(key, pattern);
  return pattern;
}

/** The first due time after `after`, epoch ms; null = there is none. */
export const findNextDue = (schedule: CronInZone, after: number): number | null =>
  openPattern(schedule).nextRun(new Date(after))?.getTime() ?? null;

/** The newest due time at or before `now`, epoch ms; null = there is none. */
export const findNewestDue = (schedule: CronInZone, now: number): number | null =>
  openPattern(schedule)
    .previousRuns(2, new Date(now + 1000))
    .find((at) => at.getTime() <= now)
    ?.getTime() ?? null;

/** The due times after `from` until `to`, epoch ms, at most `limit`. */
export function listDueTimes(schedule: CronInZone, from: number, to: number, limit: number): number[] {
  const times: number[] = [];
  for (let at = findNextDue(schedule, from); at !== null && at <= to && times.length < limit; ) {
    times.push(at);
    at = findNextDue(schedule, at);
  }
  return times;
}

/** Two due times are at least this far apart, ms: a scan reads a whole keyspace. */
const MIN_INTERVAL_MS = 10 * 60_000;
/** How many intervals are checked. */
const CHECKED = 30;

/**
 * Throws `bad_request` with what is wrong: a zone or a cron text that does not exist, is never due, or is due more often
 * than every ten minutes. `reason` in its details is a key of the messages `schedules.problem`.
 */
export function checkDueTimes({ cron, zone }: CronInZone, now: number): void {
  if (!isZone(zone))
    throw refuse('zone', 'zone', `There is no time zone "${zone}". Write one such as Europe/Berlin or UTC.`);
  if (cron.split(/\s+/).length !== 5)
    throw refuse('cron', 'fields', 'A cron text has five fields: minute, hour, day, month, day of the week.');
  let times: number[];
  try {
    // In UTC, because a change of the clocks moves due times closer together on one day.
    times = openPattern({ cron, zone: 'UTC' })
      .nextRuns(CHECKED, new Date(now))
      .map((at) => at.getTime());
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : '';
    throw refuse('cron', 'cron', `This cron text cannot be read: ${why}`);
  }
  if (times.length === 0 || findNextDue({ cron, zone }, now) === null)
    throw refuse('cron', 'never', `"${cron}" is never due: there is no such day. Choose a day that exists.`);
  if (times.some((at, i) => i > 0 && at - times[i - 1]! < MIN_INTERVAL_MS))
    throw refuse('cron', 'often', `"${cron}" is due more often than every 10 minutes. Leave more time between scans.`);
}

export const refuse = (field: string, reason: string, message: string): AppError =>
  new AppError('bad_request', message, { field, reason });

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
