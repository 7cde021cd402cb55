import { describe, expect, it } from 'vitest';
import { fillTimeline } from './ttl-timeline';

const step = (minuteMs: number, keys: number) => ({ minuteMs, stepSeconds: 60, keys, bytes: keys * 10 });

describe('fillTimeline', () => {
  it('puts zeros where no key expires and keeps the rest', () => {
    const filled = fillTimeline([step(0, 5), step(60_000, 1), step(240_000, 7)]);
    expect(filled.map((s) => [s.minuteMs, s.keys])).toEqual([
      [0, 5],
      [60_000, 1],
      [120_000, 0],
      [180_000, 0],
      [240_000, 7],
    ]);
  });
  it('leaves a span alone that would need too many points', () => {
    expect(fillTimeline([step(0, 1), step(60_000 * 5000, 1)])).toHaveLength(2);
  });
  it('is empty for nothing', () => expect(fillTimeline([])).toEqual([]));
});
