import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBucketFilter } from '@/components/idle/bucket-filter';
import { toFilter } from '@/components/reports/filter/filter-params';
import { buildStormFilter, buildTtlFilter } from '@/components/ttl/ttl-filter';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/**
 * A bar leads to a list of as many keys as it counts, although buckets are half-open and filters include both bounds.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
const model = { ...madeRows(1).at(-1)!, node: 0, db: 0, expireAt: NO_EXPIRY, idle: UNKNOWN, freq: UNKNOWN };
const sealed = (id: string, rows: Partial<MadeRow>[]): Promise<SnapshotRef> =>
  makeSealed(
    data.root,
    id,
    rows.map((row, i) => ({ ...model, bytesOfName: Buffer.from(`k${i}`), ...row })),
  );

beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

it.each([
  ['freq', [0, 1, 2, 4, 5, 5, 9, 10, 255].map((freq) => ({ freq }))],
  ['idle', [0, 59, 60, 60, 599, 600, 86_400].map((idle) => ({ idle }))],
] as const)('each bucket of %s lists what it counts', async (kind, rows) => {
  const ref = await sealed(kind, rows);
  const { report } = await runReport(ref, 'idle', {});
  expect(report.kind).toBe(kind);
  for (const bucket of report.buckets) {
    const list = await runReport(ref, 'keys', toFilter(buildBucketFilter(kind, bucket)));
    expect([bucket.from, list.report.total]).toEqual([bucket.from, bucket.keys]);
  }
});

it('each bucket of remaining TTLs lists what it counts, and no key that expired before', async () => {
  const left = [-5_000, 0, 1, 30_000, 59_999, 60_000, 299_999, 300_000, 365 * 86_400_000];
  const ref = await sealed(
    'ttl',
    left.map((ms) => ({ expireAt: AS_OF + ms })),
  );
  const { report } = await runReport(ref, 'ttl', {});
  const short = await runReport(ref, 'keys', toFilter(buildTtlFilter(0, report.shortest.underSeconds)));
  expect([report.shortest.keys, short.report.total]).toEqual([3, 3]);
  for (const bucket of report.buckets) {
    const list = await runReport(ref, 'keys', toFilter(buildTtlFilter(bucket.fromSeconds, bucket.toSeconds)));
    expect([bucket.fromSeconds, list.report.total]).toEqual([bucket.fromSeconds, bucket.keys]);
  }
});

it.each([undefined, 'shop:', 'shop:user:', 'shop:user:1'])(
  'each storm lists what it counts, under %s',
  async (prefix) => {
    const minute = AS_OF + 600_000;
    const left = [-1, 0, ...Array.from({ length: 150 }, (_, i) => 100 + i * 380), 59_999, 60_000];
    const written = await sealed(
      `storm-${prefix?.length}`,
      left.flatMap((ms, i) =>
        [`shop:user:${i % 4 === 0 ? 2 : 1}${i}:cart`, `sale${i}`].map((name) => ({
          bytesOfName: Buffer.from(name),
          expireAt: minute + ms,
        })),
      ),
    );
    // A scan need not end on a full second.
    const ref = { ...written, manifest: { ...written.manifest, endedAt: AS_OF + 417 } };
    const { report, asOf } = await runReport(ref, 'ttl', { prefix });
    expect(report.storms.map((storm) => storm.prefix)).toContain('shop:user:');
    for (const storm of report.storms.filter((one) => one.prefix !== '')) {
      const list = await runReport(ref, 'keys', { prefix, ...toFilter(buildStormFilter(storm, asOf, prefix)) });
      expect([storm.prefix, list.report.total]).toEqual([storm.prefix, storm.keys]);
    }
  },
);

it('bigkeys of every type are counted, whichever is listed', async () => {
  const types = ['hash', 'hash', 'hash', 'list', 'list', null, 'set'];
  const big = types.map((type, i) => ({ type, length: type === 'set' ? 1 : 1_000_000, bytes: i === 6 ? 8 : 2 ** 30 }));
  const ref = await sealed('big', big);
  const counted = { hash: 3, list: 2, unknown: 1 };
  for (const [type, total] of [
    [undefined, 6],
    [['list'], 2],
    [['list', 'unknown'], 3],
  ] as const) {
    const { report } = await runReport(ref, 'bigkeys', { type: type && [...type] });
    expect([type, report.total, report.rows.length, report.totalBytes]).toEqual([
      ...[type, total, total],
      total * 2 ** 30,
    ]);
    expect(Object.fromEntries(report.byType.map((row) => [row.type ?? 'unknown', row.keys]))).toEqual(counted);
  }
});
