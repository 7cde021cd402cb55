import { expect, it } from 'vitest';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { checkSchedule } from './check-schedule';
import { findNewestDue, listDueTimes } from './due-times';

const at = (text: string) => Date.parse(text);
const list = (cron: string, zone: string, from: string, days: number) =>
  listDueTimes({ cron, zone }, at(from), at(from) + days * 86_400_000, 100).map((time) =>
    new Date(time).toISOString().slice(5, 16),
  );

it('a time that the spring change leaves out is due at the end of the gap, once', () => {
  expect(list('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3)).toEqual([
    '03-28T01:30',
    '03-29T01:00',
    '03-30T00:30',
  ]);
  expect(list('30 2 * * *', 'America/New_York', '2026-03-07T05:00Z', 3)).toEqual([
    '03-07T07:30',
    '03-08T07:00',
    '03-09T06:30',
  ]);
  // Half an hour is left out there, from 02:00 to 02:30.
  expect(list('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T20:00Z', 3)).toEqual([
    '10-03T15:30',
    '10-04T15:15',
    '10-05T15:15',
  ]);
});

it('a time that the autumn change repeats is due once', () => {
  expect(list('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', 3)).toEqual([
    '10-24T00:30',
    '10-25T00:30',
    '10-26T01:30',
  ]);
  expect(list('30 1 * * *', 'America/New_York', '2026-10-31T04:00Z', 3)).toEqual([
    '10-31T05:30',
    '11-01T05:30',
    '11-02T06:30',
  ]);
  expect(list('45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T12:00Z', 3)).toEqual([
    '04-03T14:45',
    '04-04T14:45',
    '04-05T15:15',
  ]);
});

it('the newest due time is the one at or before now', () => {
  const schedule = { cron: '10 3 * * *', zone: 'Asia/Shanghai' };
  const due = at('2026-05-01T19:10Z');
  for (const late of [0, 1, 999, 1000, 60_000, 86_399_999]) expect(findNewestDue(schedule, due + late)).toBe(due);
  expect(findNewestDue(schedule, due - 1)).toBe(due - 86_400_000);
});

const input = (more: object) =>
  ScheduleInput.parse({
    name: 'nightly',
    cron: '10 3 * * *',
    zone: 'Europe/Berlin',
    targets: { by: 'tags', tags: ['a'] },
    ...more,
  });
const nights = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '05:00' };

it.each([
  ['0 3 31 2 *', {}, 'never'],
  ['0 3 * * * *', {}, 'fields'],
  ['2026-01-01T00:00:00', {}, 'fields'],
  ['61 3 * * *', {}, 'cron'],
  ['a b c d e', {}, 'cron'],
  ['*/5 * * * *', {}, 'often'],
  ['0,5 3 * * *', {}, 'often'],
  ['0 3 * * *', { zone: 'Mars/Olympus' }, 'zone'],
  ['0 3 * * *', { windows: [{ ...nights, from: '05:00' }] }, 'empty_window'],
  ['0 9 * * *', { windows: [nights] }, 'closed'],
  ['0 9 * * 1', { windows: [{ ...nights, days: [3] }], graceHours: 24 }, 'closed'],
  ['0 9 * * *', { blackout: [{ from: '2026-02-01', to: '2026-01-01' }] }, 'blackout'],
])('refuses %s %j in words: %s', (cron, more, reason) => {
  let refused: unknown;
  try {
    checkSchedule(input({ cron, ...more }), at('2026-05-01T00:00Z'));
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ code: 'bad_request', details: { reason } });
});

it('accepts what is due at least once in years, or reaches a window within its grace', () => {
  const now = at('2026-05-01T00:00Z');
  checkSchedule(input({ cron: '0 3 29 2 *' }), now);
  checkSchedule(input({ cron: '0 12 * * *', windows: [nights] }), now);
  checkSchedule(input({ blackout: [{ from: '2026-01-01', to: '2030-01-01' }] }), now);
  checkSchedule(input({ cron: '*/10 * * * *' }), now);
});
