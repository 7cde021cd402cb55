import { expect, it } from 'vitest';
import { findMissedBars, reportsBars, rulesBars, SCAN_BARS, sealingBars } from './bars';

it('names each bar that a scan misses, and none that it just meets', () => {
  const met = { ratioBasic: 2.5, ratioFull: 2, floorShare: 0.65, sealSeconds: 2, bytesPerKey: 12, peakRssMiB: 512 };
  expect(findMissedBars(SCAN_BARS, met)).toEqual([]);
  expect(findMissedBars(SCAN_BARS, { ...met, ratioBasic: 2.49, ratioFull: 1.99, floorShare: 0.64 })).toEqual([
    'ratioBasic: 2.49 (bar 2.5)',
    'ratioFull: 1.99 (bar 2)',
    'floorShare: 0.64 (bar 0.65)',
  ]);
  expect(findMissedBars(SCAN_BARS, { ...met, sealSeconds: 2.1, bytesPerKey: 12.1, peakRssMiB: 513 })).toEqual([
    'sealSeconds: 2.1 (bar 2)',
    'bytesPerKey: 12.1 (bar 12)',
    'peakRssMiB: 513 (bar 512)',
  ]);
});

it('takes what was not measured for missed', () => {
  const met = {
    warmP95Ms: 150,
    filteredP95Ms: 150,
    rowsP95Ms: 1000,
    bytesPerKey: 12,
    rollupMiB: 4,
    peakRssMiB: 512,
    workerPeakRssMiB: 768,
  };
  expect(findMissedBars(reportsBars(10_000_000), met)).toEqual([]);
  expect(findMissedBars(reportsBars(10_000_000), { ...met, warmP95Ms: Number.NaN, peakRssMiB: null })).toEqual([
    'warmP95Ms: not measured',
    'peakRssMiB: not measured',
  ]);
});

it('asks less of a hundred million keys, of space the same', () => {
  const ten = { seconds: 15, changedNameRuleSeconds: 15, routeP95Ms: 150, peakRssMiB: 768 };
  expect(findMissedBars(rulesBars(10_000_000), ten)).toEqual([]);
  expect(findMissedBars(rulesBars(10_000_000), { ...ten, seconds: 15.1, routeP95Ms: 151 })).toEqual([
    'seconds: 15.1 (bar 15)',
    'routeP95Ms: 151 (bar 150)',
  ]);
  expect(findMissedBars(rulesBars(100_000_000), { ...ten, seconds: 150.1 })).toEqual(['seconds: 150.1 (bar 150)']);
  const sealed = { readySeconds: 61, diskPeakBytesPerKey: 71 };
  expect(findMissedBars(sealingBars(10_000_000), sealed)).toEqual([
    'readySeconds: 61 (bar 60)',
    'diskPeakBytesPerKey: 71 (bar 70)',
  ]);
  expect(findMissedBars(sealingBars(100_000_000), sealed)).toEqual(['diskPeakBytesPerKey: 71 (bar 70)']);
});
