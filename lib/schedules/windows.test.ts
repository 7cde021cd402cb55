import { expect, it } from 'vitest';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { findClosedReason, findOpening } from './windows';

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text);
const schedule = (more: object) =>
  ScheduleInput.parse({
    name: 'x',
    cron: '0 3 * * *',
    zone: 'Europe/Berlin',
    targets: { by: 'tags', tags: ['a'] },
    ...more,
  });
const closed = (input: ScheduleInput, text: string) => findClosedReason(input, at(text));

it('a window is open from its first minute to the one before its end, by the clock of the zone', () => {
  const weekdays = schedule({ windows: [{ days: [1, 2, 3, 4, 5], from: '02:00', to: '05:00' }] });
  // 2026-06-01 is a Monday; Berlin is two hours ahead of UTC.
  expect(closed(weekdays, '2026-06-01T00:00:00Z')).toBeNull();
  expect(closed(weekdays, '2026-06-01T02:59:59Z')).toBeNull();
  expect(closed(weekdays, '2026-06-01T03:00:00Z')).toBe('window');
  expect(closed(weekdays, '2026-05-31T00:00:00Z')).toBe('window');
});

it('a window that ends on the next day belongs to the day on which it opened', () => {
  const sunday = schedule({ windows: [{ days: [7], from: '22:00', to: '06:00' }] });
  expect(closed(sunday, '2026-05-31T20:00:00Z')).toBeNull();
  expect(closed(sunday, '2026-06-01T03:59:00Z')).toBeNull();
  expect(closed(sunday, '2026-06-01T04:00:00Z')).toBe('window');
  expect(closed(sunday, '2026-05-31T03:00:00Z')).toBe('window');
});

it('finds the next opening, also over a blackout and over both changes of the clocks', () => {
  const nights = schedule({ windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '03:00', to: '05:00' }] });
  const opening = (input: ScheduleInput, text: string, hours: number) => {
    const found = findOpening(input, at(text), at(text) + hours * HOUR_MS);
    return found === null ? null : new Date(found).toISOString().slice(0, 16);
  };
  expect(opening(nights, '2026-03-28T12:00Z', 24)).toBe('2026-03-29T01:00');
  expect(opening(nights, '2026-10-24T12:00Z', 24)).toBe('2026-10-25T02:00');
  expect(opening(nights, '2026-10-24T12:00Z', 12)).toBeNull();
  // It is open already.
  expect(opening(nights, '2026-06-01T02:30Z', 1)).toBe('2026-06-01T02:30');
  const withBlackout = { ...nights, blackout: [{ from: '2026-06-02', to: '2026-06-03' }] };
  expect(findClosedReason(withBlackout, at('2026-06-02T02:00Z'))).toBe('blackout');
  expect(opening(withBlackout, '2026-06-01T12:00Z', 100)).toBe('2026-06-04T01:00');
  // Without windows it opens at the midnight of the zone.
  const only = schedule({ blackout: [{ from: '2026-06-02', to: '2026-06-02' }] });
  expect(opening(only, '2026-06-02T10:00Z', 24)).toBe('2026-06-02T22:00');
});
