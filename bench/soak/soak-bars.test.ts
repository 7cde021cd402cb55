import { expect, it } from 'vitest';
import { missedBars } from './soak-bars';

const fine = {
  rssSlopeMiBPerMinute: 0.2,
  pageP95Ms: 120,
  deadPageP95Ms: 90,
  invariantsBroken: 0,
  unhandledRejections: 0,
  broken: [] as string[],
};

it('names each bar that a long run misses', () => {
  expect(missedBars(fine, 10)).toEqual([]);
  expect(missedBars({ ...fine, rssSlopeMiBPerMinute: 1 }, 10)).toEqual(['memory grows by 1 MiB a minute (bar 1)']);
  expect(missedBars({ ...fine, rssSlopeMiBPerMinute: null }, 10)).toEqual(['too few samples of the memory']);
  expect(missedBars({ ...fine, pageP95Ms: 300 }, 10)).toEqual(['95 % of pages within 300 ms (bar 300)']);
  expect(missedBars({ ...fine, deadPageP95Ms: 310 }, 10)).toEqual([
    '95 % of pages of a dead instance within 310 ms (bar 300)',
  ]);
  expect(missedBars({ ...fine, deadPageP95Ms: null }, 10)).toEqual(['no page of the dead instance was answered']);
  expect(missedBars({ ...fine, pageP95Ms: null }, 10)).toEqual(['no page was answered']);
  expect(missedBars({ ...fine, unhandledRejections: 2 }, 10)).toEqual(['unhandled rejections: 2']);
});

it('asks of a short run that nothing breaks, not how memory grows while it warms up', () => {
  expect(missedBars({ ...fine, rssSlopeMiBPerMinute: 40, pageP95Ms: 900 }, 1)).toEqual([]);
  expect(missedBars({ ...fine, invariantsBroken: 1, broken: ['a key is lost'] }, 1)).toEqual([
    'invariants broken: a key is lost',
  ]);
});
