import { expect, it } from 'vitest';
import { FAST_FLOOR_MS, LatencyProbe } from './latency-probe';

const feed = (probe: LatencyProbe, samples: number[], floor?: number, from = 0) =>
  samples.forEach((ms, i) => {
    probe.sample(from + i * 250, ms, floor);
  });

it('one slow answer is noise, a second within the window holds', () => {
  const probe = new LatencyProbe();
  feed(probe, [0.2, 0.2, 40, 0.2, 0.2]);
  expect(probe.holding).toBe(false);
  probe.sample(1250, 15);
  expect(probe.holding).toBe(true);
  expect(probe.p99Ms).toBe(15);
});

it('releases after a calm second, and starts anew', () => {
  const probe = new LatencyProbe();
  feed(probe, [0.2, 30, 30, 0.2, 0.2, 0.2]);
  expect(probe.holding).toBe(true);
  probe.sample(1500, 0.2);
  expect(probe.holding).toBe(false);
  probe.sample(1750, 30);
  expect(probe.holding).toBe(false);
});

it('slow samples further apart than the window do not add up', () => {
  const probe = new LatencyProbe();
  probe.sample(0, 0.2);
  probe.sample(100, 30);
  probe.sample(5200, 30);
  expect(probe.holding).toBe(false);
});

it('a far server has a higher limit, and full speed a higher floor', () => {
  const far = new LatencyProbe();
  feed(far, [50, 51, 120, 130, 140, 52]);
  expect(far.holding).toBe(false);
  feed(far, [160, 170], undefined, 2000);
  expect(far.holding).toBe(true);
  const fast = new LatencyProbe();
  feed(fast, [0.2, 15, 16, 17], FAST_FLOOR_MS);
  expect(fast.holding).toBe(false);
});

it('twice a quarter of a second within 2.5 s is critical, once is not', () => {
  const once = new LatencyProbe();
  feed(once, [0.2, 300, 0.2]);
  once.sample(4000, 300);
  expect(once.critical).toBe(false);
  once.sample(6400, 260);
  expect(once.critical).toBe(true);
});

it('far away, critical is a quarter of a second more than the way there and back', () => {
  const far = new LatencyProbe();
  feed(far, [262, 260, 265, 290, 261, 480, 300, 505]);
  expect([far.critical, far.holding]).toEqual([false, false]);
  feed(far, [520, 530], undefined, 2000);
  expect(far.critical).toBe(true);
});

it('before the first answer nothing is known, and a question that is out tells nothing of the way', () => {
  const probe = new LatencyProbe();
  expect(probe.computeCriticalLimitMs(2)).toBe(Number.POSITIVE_INFINITY);
  probe.sample(0, 400, undefined, false);
  expect(probe.baselineMs).toBeNull();
  probe.sample(250, 600);
  expect([probe.baselineMs, probe.computeCriticalLimitMs(), probe.computeCriticalLimitMs(2)]).toEqual([600, 850, 1100]);
  expect(probe.critical).toBe(false);
});
