import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import type { MadeRow } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/** The filter of a row of savings must list exactly the keys that the row counts. */
let refs: SnapshotRef[];
let clean: () => Promise<void>;

const ENCODINGS = { hash: 'hashtable', set: 'hashtable', zset: 'skiplist' } as const;
const key = (name: string, type: keyof typeof ENCODINGS, length: number, perElement: number): MadeRow => ({
  ...{ bytesOfName: Buffer.from(name), node: 0, db: 0, type, encoding: ENCODINGS[type] },
  ...{ expireAt: NO_EXPIRY, length, idle: 1, freq: UNKNOWN },
  bytes: 160 + Math.round(length * perElement + 8 * 2 ** Math.ceil(Math.log2(Math.max(4, length)))),
});

beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const rows = (['hash', 'set', 'zset'] as const).flatMap((type) =>
    [3, 100, 128, 129, 200, 256, 300, 512, 513, 700, 1024, 1500, 5000].flatMap((length) =>
      // Sizes from less than an integer of 64 bits to more than all limits.
      [40, 47, 48, 60, 90, 95, 120, 160, 240, 400, 900].map((size) =>
        key(`app:${type}:${length}:${size}`, type, length, size),
      ),
    ),
  );
  // One compact key of each kind shows which limits the server has. The other keys have no known memory or length.
  const beside = (['hash', 'set', 'zset'] as const).flatMap((type) => [
    { ...key(`app:${type}:compact`, type, 100, 20), encoding: 'listpack' },
    { ...key(`app:${type}:unknown`, type, 200, 40), bytes: UNKNOWN },
    { ...key(`app:${type}:empty`, type, 0, 0), length: UNKNOWN },
  ]);
  const all = [...rows, ...beside];
  refs = [await makeSealed(folder.root, 'sealed', all), await makeLive(folder.root, 'live', all)];
});
afterAll(() => clean());

const QUERIES: [string, ReportQuery][] = [
  ['of all keys', {}],
  ['of a prefix', { prefix: 'app:set:' }],
  ['of some lengths', { lengthMin: 150, lengthMax: 600 }],
  ['of some types and small elements', { type: ['hash', 'zset'], elementBytesMax: 100 }],
];

it.each(QUERIES)('leads to its keys: %s', async (_what, query) => {
  for (const ref of refs) {
    const { savings } = (await runReport(ref, 'types', { ...query, savings: true })).report.savings!;
    expect(new Set(savings.map(({ setting }) => setting)).size).toBeGreaterThan(1);
    for (const { setting, limit, keys, bytes, filter } of savings) {
      const { total, totalBytes } = (await runReport(ref, 'keys', { ...query, ...filter, limit: 1 })).report;
      expect({ setting, limit, total, totalBytes }).toEqual({ setting, limit, total: keys, totalBytes: bytes });
    }
  }
});

it('lists no key whose elements are not known', async () => {
  for (const ref of refs)
    for (const filter of [{ elementBytesMin: 0 }, { elementBytesMax: 1e9 }]) {
      const { rows } = (await runReport(ref, 'keys', { ...filter, limit: 1000 })).report;
      expect(rows.length).toBeGreaterThan(100);
      expect(rows.filter(({ name }) => /compact|unknown|empty/.test(name))).toEqual([]);
    }
});
