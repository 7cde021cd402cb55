import { expect, it } from 'vitest';
import { percentile, slopePerMinute } from './rss-slope';

const line = (perMinute: number, noise = 0) =>
  Array.from({ length: 600 }, (_, i) => ({
    at: i * 1000,
    rssMiB: 200 + (i / 60) * perMinute + (i % 2 ? noise : -noise),
  }));

it('finds the slope of a line, through noise, behind the warm-up', () => {
  expect(slopePerMinute(line(2), 0)).toBeCloseTo(2, 5);
  expect(slopePerMinute(line(0, 20), 0)).toBeCloseTo(0, 1);
  const warming = line(0).map((sample, i) => (i < 300 ? { ...sample, rssMiB: 50 + i } : sample));
  expect(slopePerMinute(warming, 0)).toBeGreaterThan(5);
  expect(slopePerMinute(warming, 300_000)).toBeCloseTo(0, 5);
  expect(slopePerMinute(line(1).slice(0, 5), 0)).toBeNull();
});

it('tells what a share of a list does not exceed', () => {
  const list = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(list, 0.95)).toBe(95);
  expect(percentile(list, 1)).toBe(100);
  expect(percentile([], 0.95)).toBeNull();
});
