import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TrendScan } from '@/lib/model/snapshots/trends';
import { runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import {
  findSeries,
  findTrendScan,
  forgetTrends,
  listNewestTotals,
  listSeries,
  listTrendScans,
  pinSeries,
  readPoints,
  readPointsAt,
  type ScanPoint,
  thinOutPoints,
  unpinSeries,
  writeScanPoints,
} from './trends';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const DAY = 86_400_000;
const total = (values: ScanPoint['values']): ScanPoint => ({ dim: 'total', key: '', values, top: true });
const prefix = (key: string, keys: number | null, top = true): ScanPoint => ({
  dim: 'prefix',
  key,
  values: { keys, bytes: null },
  top,
});
const describeScan = (at: number, over: Partial<TrendScan> = {}): TrendScan => ({
  at,
  snapshotId: `snap${at}`,
  policyHash: 'p',
  databases: null,
  coverage: 'full/large',
  maxmemoryPolicy: 'noeviction',
  ...over,
});
const write = (at: number, points: ScanPoint[], instanceId = 'one', over: Partial<TrendScan> = {}) =>
  runTransaction((tx) => writeScanPoints(instanceId, describeScan(at, over), points, tx));
const readKeys = async (key: string, instanceId = 'one') => {
  const series = await findSeries(instanceId, { dim: 'prefix', key });
  return series === null ? null : (await readPoints(series.id)).map(({ at, keys }) => [at, keys]);
};

it('keeps unknown apart from 0, and names as they are', async () => {
  const odd = '订单:"\\x00\\xff\':';
  await write(1, [total({ keys: 5, bytes: 0, score: 97.5 }), prefix(odd, 0), prefix('b:', null)]);
  const [series] = await listSeries('one', ['total']);
  const unknown = { noExpiry: null, bigkeys: null, found: null, elements: null, usedBytes: null, maxBytes: null };
  expect(await readPoints(series!.id)).toEqual([{ at: 1, keys: 5, bytes: 0, score: 97.5, ...unknown }]);
  expect([await readKeys(odd), await readKeys('b:'), await readKeys('c:')]).toEqual([[[1, 0]], [[1, null]], null]);
  expect(await findTrendScan('snap1')).toEqual({ instanceId: 'one', scan: describeScan(1) });
  expect(await findTrendScan('other')).toBeNull();
});

it('replaces the points of a scan that is written again, and no others', async () => {
  await write(1, [prefix('a:', 1), prefix('b:', 1)]);
  await write(2, [prefix('a:', 2), prefix('b:', 2)]);
  await write(2, [prefix('a:', 3)], 'one', { policyHash: 'q' });
  await write(2, [prefix('a:', 99)], 'two');
  expect(await readKeys('a:')).toEqual([
    [1, 1],
    [2, 3],
  ]);
  expect(await readKeys('b:')).toEqual([[1, 1]]);
  expect((await listTrendScans('one')).map(({ at, policyHash }) => [at, policyHash])).toEqual([
    [1, 'p'],
    [2, 'q'],
  ]);
});

it('keeps one point per week of old details, all totals, and what is pinned', async () => {
  const now = 400 * DAY;
  for (let day = 0; day < 21; day++)
    await write(day * DAY, [total({ keys: day }), prefix('a:', day), prefix('b:', day)]);
  await write(now, [total({ keys: 1 }), prefix('a:', 1)]);
  await runTransaction((tx) => pinSeries('one', { dim: 'prefix', key: 'b:' }, now, tx));
  await runTransaction((tx) => pinSeries('one', { dim: 'template', key: 'new:{int}' }, now, tx));
  const thin = () =>
    runTransaction((tx) => thinOutPoints('one', { detailUntil: now - 180 * DAY, topUntil: now - 90 * DAY }, tx));
  await thin();
  // The last day of each week, counted from 1970.
  const weekly = [6, 13, 20].map((day) => [day * DAY, day]);
  expect(await readKeys('a:')).toEqual([...weekly, [now, 1]]);
  expect(await readKeys('b:')).toEqual(weekly);
  expect(await readPoints((await findSeries('one', { dim: 'total', key: '' }))!.id)).toHaveLength(22);
  expect(await findSeries('one', { dim: 'template', key: 'new:{int}' })).toMatchObject({ topAt: 0, pinnedAt: now });

  const unpin = (key: string) => runTransaction((tx) => unpinSeries('one', { dim: 'prefix', key }, tx));
  expect([await unpin('b:'), await unpin('b:'), await unpin('a:')]).toEqual([true, false, false]);
  await thin();
  expect([await readKeys('b:'), await readKeys('a:')]).toEqual([null, [...weekly, [now, 1]]]);
});

it('a series that is no longer among the largest keeps the time when it was', async () => {
  await write(1, [prefix('a:', 1)]);
  await write(5, [prefix('a:', 1, false)]);
  expect((await listSeries('one', ['prefix']))[0]).toMatchObject({ topAt: 1 });
  await write(7, [prefix('a:', 1)]);
  // A scan that is handled late does not set it back.
  await write(6, [prefix('a:', 1)]);
  expect((await listSeries('one', ['prefix']))[0]).toMatchObject({ topAt: 7 });
});

it('reads the two newest totals of each instance, and one scan of many series', async () => {
  for (const at of [1, 2, 3]) await write(at, [total({ keys: at }), prefix('a:', at)]);
  await write(9, [total({ keys: 9 })], 'two');
  expect((await listNewestTotals()).map(({ instanceId, point }) => [instanceId, point.at, point.keys])).toEqual([
    ['one', 3, 3],
    ['one', 2, 2],
    ['two', 9, 9],
  ]);
  expect((await readPointsAt('one', 2, ['prefix'])).map(({ key, point }) => [key, point.keys])).toEqual([['a:', 2]]);
});

it('takes more points than one statement, and forgets only the instance that is removed', async () => {
  await write(1, [total({ keys: 1 }), ...Array.from({ length: 2500 }, (_, i) => prefix(`p${i}:`, i))]);
  await write(1, [total({ keys: 2 })], 'two');
  expect(await readPointsAt('one', 1, ['prefix'])).toHaveLength(2500);
  await runTransaction((tx) => forgetTrends('one', tx));
  expect([await listSeries('one', ['total', 'prefix']), await listTrendScans('one')]).toEqual([[], []]);
  expect(await listTrendScans('two')).toHaveLength(1);
  expect(await listNewestTotals()).toHaveLength(1);
});
