import { expect, it } from 'vitest';
import { buildStormFilter, buildTtlFilter } from './ttl-filter';

it('counts both bounds of a half-open bucket, to the millisecond', () => {
  expect(buildTtlFilter(60, 300)).toEqual({ expiry: 'any', ttlMin: 60, ttlMax: 299.999 });
  expect(buildTtlFilter(86_400, null)).toEqual({ expiry: 'any', ttlMin: 86_400, ttlMax: undefined });
  // Keys that have expired are not counted.
  expect(buildTtlFilter(0, 60)).toEqual({ expiry: 'any', ttlMin: 0.001, ttlMax: 59.999 });
});

const MINUTE = Date.UTC(2026, 10, 20, 20);

it('takes the minute of a storm as the clock has it, wherever in a second the scan ended', () => {
  const storm = { minute: MINUTE, prefix: 'shop:' };
  const bounds = { prefix: 'shop:', exact: null, expiry: 'any', ttlMin: 10.583, ttlMax: 70.582 };
  expect(buildStormFilter(storm, MINUTE - 10_583, undefined)).toEqual(bounds);
  expect(buildStormFilter(storm, MINUTE - 10_583, 'sh')).toEqual(bounds);
  // The minute had already begun at the end of the scan.
  expect(buildStormFilter(storm, MINUTE + 417, undefined)).toMatchObject({ ttlMin: 0.001, ttlMax: 59.582 });
});

it('never widens the prefix that was asked for', () => {
  const asked = (prefix: string, by: string) => buildStormFilter({ minute: MINUTE, prefix }, MINUTE - 1000, by);
  expect(asked('shop:', 'shop:user:1')).not.toHaveProperty('prefix');
  // Names without a delimiter have no prefix to filter by.
  expect(asked('', 'sh')).not.toHaveProperty('prefix');
});
