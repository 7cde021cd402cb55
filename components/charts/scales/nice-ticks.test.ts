import { describe, expect, it } from 'vitest';
import { buildNiceTicks } from './nice-ticks';

describe('niceTicks', () => {
  it('reaches the largest value in a few round steps', () => {
    expect(buildNiceTicks(26_400, 'count')).toEqual([0, 10_000, 20_000, 30_000]);
    expect(buildNiceTicks(3, 'count')).toEqual([0, 1, 2, 3]);
    expect(buildNiceTicks(90 * 1024 ** 2, 'bytes').map((v) => v / 1024 ** 2)).toEqual([0, 32, 64, 96]);
    expect(buildNiceTicks(700 * 1024, 'bytes').map((v) => v / 1024)).toEqual([0, 256, 512, 768]);
  });
  it('always covers the maximum and never has many ticks', () => {
    for (let max = 1; max < 1e15; max = max * 1.7 + 1) {
      for (const unit of ['count', 'bytes'] as const) {
        const ticks = buildNiceTicks(max, unit);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }
    }
  });
  it('has an axis even when there is nothing', () => expect(buildNiceTicks(0, 'bytes')).toEqual([0, 1]));
});
