import { describe, expect, it } from 'vitest';
import { buildLogTicks, buildNiceTicks, buildTimeTicks } from './axis-ticks';

describe('buildNiceTicks', () => {
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

describe('buildLogTicks', () => {
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
});

const at = (text: string) => Date.parse(text);

describe('buildTimeTicks', () => {
  it('falls on round hours of a day', () => {
    const ticks = buildTimeTicks(at('2026-11-20T23:15Z'), at('2026-11-21T23:10Z'), 0);
    expect(ticks.map((t) => new Date(t).toISOString().slice(11, 16))).toEqual([
      '00:00',
      '04:00',
      '08:00',
      '12:00',
      '16:00',
      '20:00',
    ]);
  });
  it('means local hours', () => {
    const eight = 8 * 3_600_000;
    for (const tick of buildTimeTicks(at('2026-11-20T23:15Z'), at('2026-11-27T23:10Z'), eight)) {
      expect((tick + eight) % 86_400_000).toBe(0);
    }
  });
  it('is never crowded, whatever the span', () => {
    for (let span = 1000; span < 1e13; span *= 3) {
      const ticks = buildTimeTicks(1e12, 1e12 + span, 0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.every((t) => t >= 1e12 && t <= 1e12 + span)).toBe(true);
    }
  });
});
