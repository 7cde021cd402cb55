import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatDay, getEndOfDay } from './exempt-dialog';

describe.each(['Asia/Shanghai', 'UTC', 'America/Los_Angeles', 'Pacific/Auckland'])('days in %s', (zone) => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = zone;
  });
  afterEach(() => {
    process.env.TZ = before;
  });

  it('ends a day where the reader ends it', () => {
    const end = getEndOfDay('2026-12-21');
    expect(formatDay(end)).toBe('2026-12-21');
    expect(formatDay(end + 1)).toBe('2026-12-22');
    const { day, hour } = Object.fromEntries(
      new Intl.DateTimeFormat('en', { timeZone: zone, day: 'numeric', hour: '2-digit', hourCycle: 'h23' })
        .formatToParts(end)
        .map((part) => [part.type, part.value]),
    );
    expect([day, hour]).toEqual(['21', '23']);
  });
});
