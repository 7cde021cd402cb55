import { expect, it } from 'vitest';
import { Canary, FAST_FLOOR_MS } from './latency-probe';

const feed = (canary: Canary, samples: number[], floor?: number, from = 0) =>
  samples.forEach((ms, i) => {
    canary.sample(from + i * 250, ms, floor);
  });

it('one slow answer is noise, a second within the window holds', () => {
  const canary = new Canary();
  feed(canary, [0.2, 0.2, 40, 0.2, 0.2]);
  expect(canary.holding).toBe(false);
  canary.sample(1250, 15);
  expect(canary.holding).toBe(true);
  expect(canary.p99Ms).toBe(15);
});

it('releases after a calm second, and starts anew', () => {
  const canary = new Canary();
  feed(canary, [0.2, 30, 30, 0.2, 0.2, 0.2]);
  expect(canary.holding).toBe(true);
  canary.sample(1500, 0.2);
  expect(canary.holding).toBe(false);
  canary.sample(1750, 30);
  expect(canary.holding).toBe(false);
});

it('slow samples further apart than the window do not add up', () => {
  const canary = new Canary();
  canary.sample(0, 0.2);
  canary.sample(100, 30);
  canary.sample(5200, 30);
  expect(canary.holding).toBe(false);
});

it('a far server has a higher limit, and full speed a higher floor', () => {
  const far = new Canary();
  feed(far, [50, 51, 120, 130, 140, 52]);
  expect(far.holding).toBe(false);
  feed(far, [160, 170], undefined, 2000);
  expect(far.holding).toBe(true);
  const fast = new Canary();
  feed(fast, [0.2, 15, 16, 17], FAST_FLOOR_MS);
  expect(fast.holding).toBe(false);
});

it('twice a quarter of a second within 2.5 s is critical, once is not', () => {
  const once = new Canary();
  feed(once, [0.2, 300, 0.2]);
  once.sample(4000, 300);
  expect(once.critical).toBe(false);
  once.sample(6400, 260);
  expect(once.critical).toBe(true);
});
