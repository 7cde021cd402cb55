import { expect, it } from 'vitest';
import { computeBackoffMs } from './backoff-ms';

const range = { firstMs: 500, maxMs: 60_000 };

it('doubles to the longest wait and stays there', () => {
  const middle = (before: number) => computeBackoffMs(before, range, () => 0.5);
  expect([0, 1, 2, 6, 7, 8, 5000].map(middle)).toEqual([500, 1000, 2000, 32_000, 60_000, 60_000, 60_000]);
});

it('is spread by a fifth to either side, also where it is longest', () => {
  const ends = (before: number) => [0, 1].map((at) => Math.round(computeBackoffMs(before, range, () => at)));
  expect(ends(1)).toEqual([800, 1200]);
  expect(ends(20)).toEqual([48_000, 72_000]);
  const waits = Array.from({ length: 100 }, () => computeBackoffMs(3, range));
  expect(new Set(waits).size).toBeGreaterThan(90);
});
