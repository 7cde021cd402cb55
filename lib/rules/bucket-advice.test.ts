import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviseBuckets, computeSeverity } from './bucket-advice';

describe('how to split a bigkey', () => {
  it.each([
    ['list', 5000, null, null],
    ['list', 5001, null, 2],
    ['hash', 2_000_000, null, 512],
    ['string', 10_240, 11_000, null],
    ['string', 10_241, null, 2],
    ['string', null, 102_400, 16],
    ['zset', null, 1_000_000, null],
    [null, 9999, 9999, null],
  ] as const)('%s of %s elements and %s bytes: %s', (type, length, bytes, buckets) => {
    expect(adviseBuckets(type, length, bytes)).toBe(buckets);
  });

  it('gives the fewest buckets, a power of two, that bring each below the threshold', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5001, max: 1_000_000_000 }), (length) => {
        const buckets = adviseBuckets('set', length, null)!;
        expect(Math.log2(buckets) % 1).toBe(0);
        expect(length / buckets).toBeLessThanOrEqual(5000);
        expect(length / (buckets / 2)).toBeGreaterThan(5000);
      }),
    );
  });
});

describe('how far above the threshold', () => {
  it.each([
    ['list', 5000, null, null],
    ['list', 5001, null, 'large'],
    ['list', 50_001, null, 'huge'],
    ['list', 2_000_000, null, 'extreme'],
    ['string', null, 20_000, 'large'],
    ['string', 10_240 * 101, null, 'extreme'],
    ['hash', null, 20_000, null],
    [null, 2_000_000, null, null],
  ] as const)('%s of %s elements and %s bytes: %s', (type, length, bytes, severity) => {
    expect(computeSeverity(type, length, bytes)).toBe(severity);
  });
});
