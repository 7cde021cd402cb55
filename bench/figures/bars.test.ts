import { expect, it } from 'vitest';
import { missedBarsOf, reportsBars, rulesBars, SCAN_BARS, sealingBars } from './bars';

it('names each bar that a scan misses, and none that it just meets', () => {
  const met = { ratioBasic: 6, ratioFull: 4.5, floorShare: 0.85, sealSeconds: 2, bytesPerKey: 12, peakRssMiB: 512 };
  expect(missedBarsOf(SCAN_BARS, met)).toEqual([]);
  expect(missedBarsOf(SCAN_BARS, { ...met, ratioBasic: 5.99, ratioFull: 4.49, floorShare: 0.84 })).toEqual([
    'ratioBasic: 5.99 (bar 6)',
    'ratioFull: 4.49 (bar 4.5)',
    'floorShare: 0.84 (bar 0.85)',
  ]);
  expect(missedBarsOf(SCAN_BARS, { ...met, sealSeconds: 2.1, bytesPerKey: 12.1, peakRssMiB: 513 })).toEqual([
    'sealSeconds: 2.1 (bar 2)',
    'bytesPerKey: 12.1 (bar 12)',
    'peakRssMiB: 513 (bar 512)',
  ]);
});

it('takes what was not measured for missed', () => {
  const met = {
    warmP95Ms: 60,
    filteredP95Ms: 100,
    rowsP95Ms: 1000,
    bytesPerKey: 12,
    rollupMiB: 4,
    peakRssMiB: 512,
    workerPeakRssMiB: 512,
  };
  expect(missedBarsOf(reportsBars(10_000_000), met)).toEqual([]);
  expect(missedBarsOf(reportsBars(10_000_000), { ...met, warmP95Ms: Number.NaN, peakRssMiB: null })).toEqual([
    'warmP95Ms: not measured',
    'peakRssMiB: not measured',
  ]);
});

it('asks less of a hundred million keys, of space the same', () => {
  const ten = { seconds: 3, changedNameRuleSeconds: 0.5, routeP95Ms: 150, peakRssMiB: 512 };
  expect(missedBarsOf(rulesBars(10_000_000), ten)).toEqual([]);
  expect(missedBarsOf(rulesBars(10_000_000), { ...ten, seconds: 3.1, routeP95Ms: 151 })).toEqual([
    'seconds: 3.1 (bar 3)',
    'routeP95Ms: 151 (bar 150)',
  ]);
  expect(missedBarsOf(rulesBars(100_000_000), { ...ten, seconds: 35.1 })).toEqual(['seconds: 35.1 (bar 35)']);
  const sealed = { readySeconds: 61, diskPeakBytesPerKey: 71 };
  expect(missedBarsOf(sealingBars(10_000_000), sealed)).toEqual([
    'readySeconds: 61 (bar 60)',
    'diskPeakBytesPerKey: 71 (bar 70)',
  ]);
  expect(missedBarsOf(sealingBars(100_000_000), sealed)).toEqual(['diskPeakBytesPerKey: 71 (bar 70)']);
});
