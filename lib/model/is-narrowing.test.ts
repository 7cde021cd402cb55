import { expect, it } from 'vitest';
import { Selection } from '@/lib/model/deletions/plan-request';
import { KeyFilter } from './filter';
import { isNarrowing } from './is-narrowing';
import { ReportQuery } from './reports/query';
import { findNearestName } from './text/nearest-name';

it.each([
  {},
  { prefix: '' },
  { search: '', template: '' },
  { big: false, exempt: false },
  { bytesMin: 0, lengthMin: -1, slotMin: 0, slotMax: 16383 },
])('a filter that leaves out no key needs all: true: %j', (filter) => {
  const asked = { by: 'filter', snapshotId: 's', filter };
  expect(isNarrowing(KeyFilter.parse(filter))).toBe(false);
  expect(Selection.safeParse(asked).error?.issues).toMatchObject([{ path: ['all'] }]);
  expect(Selection.safeParse({ ...asked, all: true }).success).toBe(true);
  expect(Selection.safeParse({ ...asked, all: false }).success).toBe(false);
});

it.each([
  { prefix: 'a' },
  { prefix: '', exact: true },
  { type: ['hash'] },
  { tag: '' },
  { big: true },
  { bytesMax: 0 },
  { ttlMin: 0 },
  { slotMax: 1 },
  { db: [0] },
])('one that leaves out some does not: %j', (filter) => {
  expect(Selection.safeParse({ by: 'filter', snapshotId: 's', filter }).success).toBe(true);
});

it.each([
  ['type', ''],
  ['type', ','],
  ['db', []],
  ['db', '2147483648'],
  ['db', '1,x'],
  ['db', '-1'],
  ['node', '99999999999'],
  ['bytesMin', ''],
  ['bytesMin', null],
  ['bytesMin', true],
  ['bytesMin', []],
  ['bytesMin', ' 5'],
  ['bytesMin', '0x10'],
  ['bytesMin', '1e309'],
  ['ttlMax', '1e300'],
  ['slotMin', '1.5'],
  ['big', 'yes'],
  ['exempt', 'ture'],
  ['exempt', 1],
  ['fold', 'flase'],
  ['limit', ''],
  ['buckets', '60,,3600'],
  ['buckets', '1e200'],
])('%s=%j is no value, and is not taken for another one', (name, value) => {
  expect(ReportQuery.safeParse({ [name]: value }).success).toBe(false);
});

it('reads numbers and flags of addresses', () => {
  expect(
    ReportQuery.parse({
      db: '0,15',
      bytesMin: '1e3',
      ttlMin: '-5',
      idleMax: '.5',
      big: '1',
      fold: 'false',
      limit: '7',
    }),
  ).toEqual({ db: [0, 15], bytesMin: 1000, ttlMin: -5, idleMax: 0.5, big: true, fold: false, limit: 7 });
});

it.each([
  ['prefxi', 'prefix'],
  ['instance', 'instanceId'],
  ['prodution', 'production'],
  ['readonly', 'readOnly'],
  ['cosntructor', null],
  ['toString', null],
  ['x', null],
  ['p'.repeat(1_000_000), null],
])('takes %.20s for %s', (given, meant) => {
  expect(findNearestName(given, ['prefix', 'instanceId', 'production', 'readOnly', 'db'])).toBe(meant);
});
