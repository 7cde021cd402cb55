import { expect, it } from 'vitest';
import { missedFleetBars } from './fleet-bars';
import type { FleetResult } from './fleet-result';

const good: FleetResult = {
  embedded: false,
  minutes: 6,
  slots: 32,
  jobs: 2024,
  lost: 0,
  heldByTwo: 0,
  repeatedEffects: 0,
  runs: 2060,
  takeoverSeconds: 32,
  takeoverSameHostSeconds: 2,
  takeoverOtherHostSeconds: 32,
  takeoversOfScans: 3,
  takeovers: 70,
  restartSeconds: 3,
  claimP95Ms: 60,
  claimAllP95Ms: 900,
  eventDelayP95Ms: 600,
  eventsMissed: 0,
  pageP95Ms: 90,
  pageP95MsOf: { '/': 90 },
  webPeakRssMiB: 300,
  workerPeakRssMiB: 300,
  pageP95MsBesideScans: 100,
  pagesBesideScans: 50,
  pages: 1300,
  pageFailures: 0,
  kills: 30,
  databaseRestarts: 2,
  states: { succeeded: 2024 },
  failures: {},
  timeline: [],
};

it.each<[string, Partial<FleetResult>, string[]]>([
  ['nothing', {}, []],
  [
    'what may not be at all',
    { lost: 1, heldByTwo: 2, repeatedEffects: 3 },
    ['lost: 1', 'heldByTwo: 2', 'repeatedEffects: 3'],
  ],
  ['an event that nobody heard of', { eventsMissed: 1 }, ['eventsMissed: 1']],
  ['a page that did not come', { pageFailures: 2 }, ['pageFailures: 2']],
  ['a run in which nobody noted what it did', { runs: 0 }, ['runs: none noted']],
  [
    'a lease that ran out too late',
    { takeoverSeconds: 36, takeoverOtherHostSeconds: 36 },
    ['takeoverSeconds: 36 (bar 35)', 'takeoverOtherHostSeconds: 36 (bar 35)'],
  ],
  ['no takeover between hosts', { takeoverOtherHostSeconds: null }, ['takeoverOtherHostSeconds: not measured']],
  ['slow pages', { pageP95Ms: 151 }, ['pageP95Ms: 151 (bar 150)']],
])('names %s', (_what, change, missed) => {
  expect(missedFleetBars({ ...good, ...change })).toEqual(missed);
});

it('asks of the embedded run that nothing is lost, and how long a takeover takes', () => {
  const embedded = { ...good, embedded: true, takeoverOtherHostSeconds: null, claimP95Ms: 400, pageP95Ms: 300 };
  expect(missedFleetBars({ ...embedded, eventsMissed: 3, pageFailures: 3 })).toEqual([]);
  expect(missedFleetBars({ ...embedded, lost: 1, takeoverSeconds: 40 })).toEqual([
    'lost: 1',
    'takeoverSeconds: 40 (bar 35)',
  ]);
});
