import { expect, it } from 'vitest';
import { buildLogTicks } from './log-ticks';

it('rises by powers until the largest value is below the last', () => {
  expect(buildLogTicks(21_397, 'count')).toEqual([0, 1, 10, 100, 1000, 10_000, 100_000]);
  expect(buildLogTicks(100, 'count')).toEqual([0, 1, 10, 100]);
  expect(buildLogTicks(1_560_000, 'bytes')).toEqual([0, 1, 1024, 1024 ** 2, 1024 ** 3]);
});

it('has few marks however large the value is, and some where there is none', () => {
  expect(buildLogTicks(3e12, 'count').length).toBeLessThanOrEqual(8);
  expect(buildLogTicks(3e12, 'count').at(-1)).toBeGreaterThanOrEqual(3e12);
  for (const max of [0, 1]) expect(buildLogTicks(max, 'count')).toEqual([0, 1]);
});
