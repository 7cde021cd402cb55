import { expect, it } from 'vitest';
import type { Job } from '@/lib/model/job';
import { measureShare } from './measure-share';

const share = (phase: string, done: number, total: number | null, kind = 'scan') =>
  measureShare({ kind, state: 'running', progress: { phase, done, total } as Job['progress'] });

it('the bar of a scan never falls back from one phase to the next', () => {
  const shares = (['scanning', 'sampling', 'sorting', 'sealing'] as const).flatMap((phase) =>
    [0, 50, 100].map((done) => share(phase, done, 100)),
  );
  expect(shares).toEqual(shares.toSorted((a, b) => (a ?? -1) - (b ?? -1)));
  expect([shares.at(0), shares.at(-1)]).toEqual([0, 1]);
});

it('other jobs have one phase, and what has no end has no share', () => {
  expect(share('removing', 50, 100, 'deletion')).toBe(0.5);
  expect(share('scanning', 50, 100, 'leftovers')).toBe(0.5);
  expect(share('scanning', 50, null)).toBeNull();
  expect(measureShare({ kind: 'scan', state: 'succeeded', progress: null })).toBe(1);
});
