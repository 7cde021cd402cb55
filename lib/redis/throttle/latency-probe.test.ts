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

/** Feeds a PING every quarter of a second and returns for each whether the probe holds after it. */
function simulate(probe: LatencyProbe, from: number, answers: Iterable<number>): boolean[] {
  return Array.from(answers, (ms, i) => {
    probe.sample(from + i * 250, ms);
    return probe.holding;
  });
}
const repeated = (times: number, ms: number) => Array.from({ length: times }, (_, i) => ms + (i % 5) * 0.4);

it.each([60, 120])('a server at %i ms is not held for an answer that was measured too short', (ms) => {
  const later = new LatencyProbe();
  expect(simulate(later, 0, [...repeated(20, ms), 15, ...repeated(2400, ms)])).not.toContain(true);
  const first = new LatencyProbe();
  const held = simulate(first, 0, [15, ...repeated(2400, ms)]);
  // Five seconds of answers outweigh the first one, and a calm second releases.
  expect(held.lastIndexOf(true)).toBeLessThan(25);
});

it.each([3, 60, 120])('a server at %i ms that is overloaded is held within two seconds, and for a minute', (ms) => {
  const probe = new LatencyProbe();
  simulate(probe, 0, [...repeated(400, ms), 15, ...repeated(400, ms)]);
  const held = simulate(probe, 801 * 250, repeated(200, ms * 4));
  expect(held.indexOf(true)).toBeLessThan(8);
  expect(held.slice(8)).not.toContain(false);
  expect(simulate(probe, 1001 * 250, repeated(40, ms)).lastIndexOf(true)).toBeLessThan(5);
});

it('a route that has become longer is the round trip time a minute later, and so is one that is short again', () => {
  const probe = new LatencyProbe();
  simulate(probe, 0, repeated(40, 3));
  const held = simulate(probe, 10_000, repeated(2400, 14));
  expect(held.slice(0, 8)).toContain(true);
  expect(held.lastIndexOf(true) * 250).toBeLessThan(65_000);
  simulate(probe, 610_000, repeated(40, 3));
  expect(probe.baselineMs).toBeLessThan(5);
});

it('an answer during which this process was blocked does not count for the round trip time', () => {
  const probe = new LatencyProbe();
  probe.sample(0, 15, undefined, false);
  expect([probe.baselineMs, probe.computeLimitMs()]).toEqual([null, Number.POSITIVE_INFINITY]);
  for (let i = 1; i < 40; i++) probe.sample(i * 250, i % 2 ? 60 : 15, undefined, i % 2 === 1);
  expect([probe.baselineMs, probe.holding]).toEqual([60, false]);
});
