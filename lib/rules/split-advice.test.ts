import fc from 'fast-check';
import { expect, it } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { presets } from '@/lib/rules/profiles/presets';
import { getBigkeyThresholds } from './bigkey-thresholds';
import { adviseSplit } from './split-advice';

it.each([
  [
    { type: 'list', length: 2_000_000 },
    { severity: 'extreme', times: 400, buckets: 512, of: 'list' },
  ],
  [
    { type: 'hash', length: 5001 },
    { severity: 'large', times: 1.0002, buckets: 2, of: 'elements' },
  ],
  [
    { type: 'string', length: 204_800, bytes: 1 },
    { severity: 'huge', times: 20, buckets: 32, of: 'bytes' },
  ],
  [
    { type: 'string', bytes: 20_480 },
    { severity: 'large', times: 2, buckets: 2, of: 'bytes' },
  ],
  [{ type: 'string', length: 10_240, bytes: 11_000 }, null],
  [{ type: 'hash', length: 5000 }, null],
  [{ type: 'hash', bytes: 1e9 }, null],
  [{ type: 'stream', length: 1e6 }, null],
  [{ type: null, length: 1e6 }, null],
  [{}, null],
])('%j is told %j', (row, said) => {
  expect(adviseSplit(row, STANDARD_THRESHOLDS)).toEqual(said);
});

it.each([
  [5001, 'large'],
  [50_000, 'large'],
  [50_001, 'huge'],
  [500_001, 'extreme'],
])('a list of %i elements is %s', (length, severity) => {
  expect(adviseSplit({ type: 'list', length }, STANDARD_THRESHOLDS)?.severity).toBe(severity);
});

it('gives the fewest buckets, a power of two, that bring each below the threshold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5001, max: 1_000_000_000 }), (length) => {
      const { buckets } = adviseSplit({ type: 'set', length }, STANDARD_THRESHOLDS)!;
      expect(Math.log2(buckets) % 1).toBe(0);
      expect(length / buckets).toBeLessThanOrEqual(5000);
      expect(length / (buckets / 2)).toBeGreaterThan(5000);
    }),
  );
});

it('goes by the numbers of the profile, and by the catalogue’s where the rule is off', () => {
  const { rules, ...body } = presets.get('default')!;
  const limits = (v1: object, v3: object) =>
    getBigkeyThresholds({ ...body, rules: { ...rules, V1: { ...rules.V1!, ...v1 }, V3: { ...rules.V3!, ...v3 } } });
  const row = { type: 'zset', length: 6000 };
  expect(adviseSplit(row, limits({}, { params: { elements: 10_000 } }))).toBeNull();
  expect(adviseSplit(row, limits({}, { params: { elements: 100 } }))).toMatchObject({ severity: 'huge', buckets: 64 });
  expect(adviseSplit(row, limits({}, { on: false }))).toMatchObject({ severity: 'large', buckets: 2 });
  const string = { type: 'string', length: 1001 };
  expect(adviseSplit(string, limits({ params: { bytes: 100 } }, {}))).toMatchObject({ severity: 'huge', buckets: 16 });
});
