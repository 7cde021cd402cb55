/** Windows and blackouts: pure functions over the clock of a zone. */

import type { ScheduleInput } from '@/lib/model/schedules/schedule';
import { findNextDue } from './due-times';

type Windowed = Pick<ScheduleInput, 'zone' | 'windows' | 'blackout'>;

interface ZoneTime {
  /** Such as `2026-03-29`. */
  date: string;
  /** 1 = Monday … 7 = Sunday. */
  weekday: number;
  /** Such as `03:10`. */
  clock: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function readZoneTime(at: number, zone: string): ZoneTime {
  let format = formats.get(zone);
  if (format === undefined) {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...digits });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  return { date, weekday, clock: `${parts.hour}:${parts.minute}` };
}

/** The date in a zone, such as `2026-03-29`. */
export const readZoneDate = (at: number, zone: string): string => readZoneTime(at, zone).date;

/** Why nothing may begin at this time; null = it may. */
export function findClosedReason({ zone, windows, blackout }: Windowed, at: number): 'window' | 'blackout' | null {
  const { date, weekday, clock } = readZoneTime(at, zone);
  if (blackout.some(({ from, to }) => from <= date && date <= to)) return 'blackout';
  if (windows.length === 0) return null;
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  const isOpen = windows.some(({ days, from, to }) => {
    if (from < to) return days.includes(weekday) && from <= clock && clock < to;
    // It ends on the day after it opened.
    return (days.includes(weekday) && from <= clock) || (days.includes(yesterday) && clock < to);
  });
  return isOpen ? null : 'window';
}

/** The first time from `from` until `until` at which a run may begin, epoch ms; null = there is none. */
export function findOpening(schedule: Windowed, from: number, until: number): number | null {
  const { zone, windows } = schedule;
  // What is closed can only open when a window opens, or at a midnight, when a blackout ends.
  const openings = windows.map(({ days, from: opens }) => {
    const [hour, minute] = opens.split(':').map(Number);
    return { cron: `${minute} ${hour} * * ${days.join(',')}`, zone };
  });
  const changes = [...openings, { cron: '0 0 * * *', zone }];
  let at: number | null = from;
  while (at !== null && at <= until) {
    if (findClosedReason(schedule, at) === null) return at;
    const after: number = at;
    const next = changes.map((change) => findNextDue(change, after)).filter((time) => time !== null);
    at = next.length === 0 ? null : Math.min(...next);
  }
  return null;
}
