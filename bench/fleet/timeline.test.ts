import { expect, it } from 'vitest';
import type { LeaseEvent } from './lease-log';
import { makeTimeline } from './timeline';

const event = (atMs: number, job: string, owner: string | null): LeaseEvent => ({
  atMs,
  job,
  state: owner === null ? 'succeeded' : 'running',
  fence: 1,
  pid: null,
  owner,
});

it('tells of each slice the wait of what was asked for in it, pages and jobs, and how many places were taken at once', () => {
  const events = [
    event(1_010, 'a', 'x'),
    event(1_300, 'b', 'y'),
    event(1_500, 'a', null),
    event(12_000, 'c', 'x'),
    event(35_000, 'c', null),
    event(36_000, 'b', null),
  ];
  const jobs = [
    { id: 'a', createdMs: 1_000 },
    { id: 'b', createdMs: 1_000 },
    { id: 'c', createdMs: 11_000 },
    { id: 'never', createdMs: 11_000 },
  ];
  const pages = [
    { atMs: 1_200, ms: 30.4 },
    { atMs: 12_000, ms: 80 },
    { atMs: 12_500, ms: 90 },
  ];
  expect(makeTimeline({ events, jobs, pages }, { fromMs: 1_000, everyMs: 10_000 })).toEqual([
    { atSeconds: 0, claimP95Ms: 300, pageP95Ms: 30, maxHeld: 2 },
    { atSeconds: 10, claimP95Ms: 1_000, pageP95Ms: 90, maxHeld: 2 },
    { atSeconds: 20, claimP95Ms: null, pageP95Ms: null, maxHeld: 2 },
    { atSeconds: 30, claimP95Ms: null, pageP95Ms: null, maxHeld: 2 },
  ]);
  expect(makeTimeline({ events: [], jobs: [], pages: [] }, { fromMs: 0, everyMs: 10_000 })).toEqual([]);
});
