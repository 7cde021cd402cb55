import { expect, it } from 'vitest';
import { buildCron, findOnlyTime, parseCron } from './parse-cron';

it.each([
  ['10 3 * * *', { minutes: [10], hours: [3], days: null, months: null, weekdays: null }],
  [
    '*/30 8-10 * * MON-FRI',
    { minutes: [0, 30], hours: [8, 9, 10], days: null, months: null, weekdays: [1, 2, 3, 4, 5] },
  ],
  ['0 0 1,15 jan,7 0,7', { minutes: [0], hours: [0], days: [1, 15], months: [1, 7], weekdays: [7] }],
  ['0 4-22/6 * * *', { minutes: [0], hours: [4, 10, 16, 22], days: null, months: null, weekdays: null }],
])('%s', (text, parts) => {
  expect(parseCron(text)).toEqual(parts);
});

it.each([
  '',
  '* * * * *',
  '60 3 * * *',
  '0 3 L * *',
  '0 3 * * 5#2',
  '0 0 3 * * *',
  '5-1 3 * * *',
  'a 3 * * *',
  '*/0 3 * * *',
  '0 4/6 * * *',
])('%j is left to the list of its times', (text) => {
  expect(parseCron(text)).toBeNull();
});

it('a simple choice becomes a cron text and is found in it again', () => {
  for (const [time, days] of [
    ['03:10', null],
    ['23:05', [1, 7]],
  ] as const) {
    const parts = parseCron(buildCron(time, days))!;
    expect([findOnlyTime(parts), parts.weekdays]).toEqual([time, days]);
  }
});
