import { expect, it } from 'vitest';
import { missedBarsOf, REPORTS_BARS, RULES_BARS, SCAN_BARS } from './bars';

it('names each bar that a scan misses, and none that it just meets', () => {
  const met = { ratioBasic: 6, ratioFull: 4.5, floorShare: 0.85, bytesPerKey: 12, peakRssMiB: 512 };
  expect(missedBarsOf(SCAN_BARS, met)).toEqual([]);
  expect(missedBarsOf(SCAN_BARS, { ...met, ratioBasic: 5.99, ratioFull: 4.49, floorShare: 0.84 })).toEqual([
    'ratioBasic: 5.99 (bar 6)',
    'ratioFull: 4.49 (bar 4.5)',
    'floorShare: 0.84 (bar 0.85)',
  ]);
  expect(missedBarsOf(SCAN_BARS, { ...met, bytesPerKey: 12.1, peakRssMiB: 513 })).toEqual([
    'bytesPerKey: 12.1 (bar 12)',
    'peakRssMiB: 513 (bar 512)',
  ]);
});

it('takes what was not measured for missed', () => {
  const met = {
    warmP95Ms: 150,
    filteredP95Ms: 150,
    rowsP95Ms: 2000,
    bytesPerKey: 12,
    rollupMiB: 4,
    peakRssMiB: 512,
    workerPeakRssMiB: 512,
  };
  expect(missedBarsOf(REPORTS_BARS, met)).toEqual([]);
  expect(missedBarsOf(REPORTS_BARS, { ...met, warmP95Ms: Number.NaN, peakRssMiB: null })).toEqual([
    'warmP95Ms: not measured',
    'peakRssMiB: not measured',
  ]);
  expect(missedBarsOf(RULES_BARS, { routeP95Ms: 151, peakRssMiB: 100 })).toEqual(['routeP95Ms: 151 (bar 150)']);
});
