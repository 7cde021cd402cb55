import { describe, expect, it } from 'vitest';
import { buildTimeTicks } from './time-ticks';

const at = (text: string) => Date.parse(text);

describe('timeTicks', () => {
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
