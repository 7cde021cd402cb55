import { expect, it } from 'vitest';
import { compilePolicy } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { adviseSplit } from './check-rows';

const facts = { asOf: 0, lazyExpire: null, clustered: false, replicaNodes: [] };
const profile = (v1: object, v3: object) => {
  const body = presets.get('default')!;
  const rules = { ...body.rules, V1: { ...body.rules.V1!, ...v1 }, V3: { ...body.rules.V3!, ...v3 } };
  return compilePolicy(toPolicy({ ...body, rules }), facts).profiles[0]!;
};
const usual = profile({}, {});

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
  [{ type: 'hash', length: 5000 }, null],
  [{ type: 'hash', bytes: 1e9 }, null],
  [{ type: 'stream', length: 1e6 }, null],
  [{ type: null, length: 1e6 }, null],
  [{}, null],
])('%j is told %j', (row, said) => {
  expect(adviseSplit(usual, row)).toEqual(said);
});

it('goes by the numbers of the profile, and by the catalogue’s where the rule is off', () => {
  const row = { type: 'zset', length: 6000 };
  expect(adviseSplit(profile({}, { params: { elements: 10_000 } }), row)).toBeNull();
  expect(adviseSplit(profile({}, { params: { elements: 100 } }), row)).toMatchObject({ severity: 'huge', buckets: 64 });
  expect(adviseSplit(profile({}, { on: false }), row)).toMatchObject({ severity: 'large', buckets: 2 });
  expect(adviseSplit(profile({ params: { bytes: 100 } }, {}), { type: 'string', length: 1001 })).toMatchObject({
    severity: 'huge',
    buckets: 16,
  });
});
