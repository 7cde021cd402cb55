import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { momentSql, momentWithinSql, sizeStepSql, stepSpan, TIME_STEPS } from '@/lib/snapshots/rollup/classes';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { openRollup } from '@/lib/snapshots/rollup/open-rollup';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, type MadeRow, madeRows, random } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { NEEDS } from './needs';
import { SPLIT_LIMITS, withSplit } from './with-split';

/**
 * Under bounds inside classes of size, and bounds of length, the roll-up and the few keys that are read must give the
 * same answers as all keys.
 */
let root: string;
let clean: () => Promise<void>;
let keys: SnapshotRef;
let rolled: SnapshotRef;
const shipped = { ...SPLIT_LIMITS };

/** Templates whose sizes are in one class, in several, on a bound, or unknown; and types that share a template. */
function rows(): MadeRow[] {
  const r = random(21);
  const int = (n: number) => Math.floor(r() * n);
  const DAY = 86_400_000;
  const STORM = AS_OF + 90 * 60_000 + 5000;
  const ahead = (days: number) => AS_OF + 1 + int(days * DAY);
  const hash = (length: number) => ({
    type: 'hash',
    encoding: length > 9 ? 'hashtable' : 'listpack',
    length,
    bytes: 64 + length * 40,
  });
  const families: ((i: number) => Partial<MadeRow> & { name: string })[] = [
    (i) => ({ name: `shop:user:${i}:profile`, expireAt: NO_EXPIRY, ...hash(6 + int(8)) }),
    (i) => ({ name: `shop:user:${i}:cart`, expireAt: i % 2 ? STORM + int(9000) : ahead(7), ...hash(1 + int(12)) }),
    (i) => ({
      name: `shop:order:${i}`,
      type: 'string',
      encoding: 'raw',
      bytes: 120 + 16 * int(20),
      length: 64 + int(300),
      expireAt: i % 3 ? ahead(400) : AS_OF - int(DAY),
    }),
    (i) => ({
      name: `feed:${i}:timeline`,
      type: 'zset',
      encoding: i % 20 ? 'listpack' : 'skiplist',
      bytes: i % 20 ? 150 + 48 * int(50) : 1_500_000,
      length: i % 20 ? 1 + int(100) : 12_000,
      expireAt: NO_EXPIRY,
    }),
    (i) => ({
      name: `odd:${i}`,
      type: i % 5 ? 'list' : null,
      encoding: null,
      bytes: i % 4 ? 100 + int(9000) : UNKNOWN,
      length: i % 3 ? 1 + int(9) : UNKNOWN,
      expireAt: i % 7 ? ahead(1) : UNKNOWN,
    }),
    (i) => ({ name: `same:${i}`, type: 'string', encoding: 'embstr', bytes: 300, length: 244, expireAt: ahead(30) }),
    (i) => ({
      name: `none:${i}`,
      type: 'set',
      encoding: 'intset',
      bytes: UNKNOWN,
      length: UNKNOWN,
      expireAt: NO_EXPIRY,
    }),
    (i) => ({
      name: `用户:资料:${i}`,
      type: 'string',
      encoding: 'raw',
      bytes: 64 + 8 * int(3000),
      length: 9 + int(20_000),
      expireAt: UNKNOWN,
    }),
  ];
  return madeRows(4000, 21)
    .slice(0, LONG ? 3600 : 1200)
    .map((row, i) => {
      const { name, ...facts } = families[i % families.length]!(i);
      return { ...row, ...facts, bytesOfName: Buffer.from(name) };
    });
}

const BOUNDS: ReportQuery[] = [
  ...[{ bytesMin: 300 }, { bytesMin: 300.5 }, { bytesMax: 300 }, { bytesMax: 255.9 }, { bytesMin: 257, bytesMax: 303 }],
  ...[
    { bytesMin: 1500 },
    { bytesMin: 1500, bytesMax: 1501 },
    { bytesMin: 400, bytesMax: 5001 },
    { bytesMin: 1_500_000 },
  ],
  ...[{ bytesMin: 600, bytesMax: 500 }, { bytesMin: 9e15 }, { bytesMin: 0, bytesMax: 3 }, { bytesMax: 1_499_999 }],
  ...[{ lengthMin: 2 }, { lengthMax: 7 }, { lengthMin: 3, lengthMax: 9 }, { lengthMin: 12_000 }, { lengthMin: 0 }],
  ...[
    { lengthMin: 2, bytesMin: 300 },
    { lengthMax: 9, bytesMin: 256, bytesMax: 4095 },
  ],
  ...[
    { bytesMin: 300, type: ['hash'] },
    { bytesMin: 300, db: [5] },
    { lengthMin: 2, node: [0, 2] },
    { bytesMin: 300, big: true },
  ],
  ...[
    { lengthMin: 2, expiry: 'any' as const },
    { lengthMin: 8, expiry: 'none' as const },
    { bytesMin: 300, search: 'cart' },
  ],
  ...[
    { bytesMin: 300, type: ['unknown'] },
    { lengthMin: 2, encoding: ['listpack'], ttlMin: 60 },
    { bytesMin: 300, idleMin: 86_400 },
  ],
];
const PATHS: ReportQuery[] = [{}, { template: 'shop:user:{int}:' }, { prefix: 'odd:' }];
const ASKED = Object.keys(NEEDS) as ReportName[];
/** The short form tests each bound at one path, for the overview or the tree and two others. */
const [FIRST, OTHERS] = [['overview', 'tree'] as const, ASKED.filter((name) => name !== 'overview' && name !== 'tree')];
const askedAt = (b: number): ReportName[] =>
  LONG ? ASKED : [FIRST[b % 2]!, OTHERS[b % OTHERS.length]!, OTHERS[(b + 2) % OTHERS.length]!];

beforeAll(async () => {
  const folder = await dataFolder();
  root = folder.root;
  clean = folder.clean;
  const made = rows();
  keys = await makeSealed(root, 'keys', made);
  rolled = await makeSealed(root, 'rolled', made, { fileRows: LONG ? 300 : 170 });
  expect(rolled.manifest.files.length).toBeGreaterThan(5);
  await makeRollup(rolled);
});
afterAll(() => clean());
beforeEach(() => {
  SPLIT_LIMITS.minKeys = 0;
});
afterEach(() => {
  Object.assign(SPLIT_LIMITS, shipped);
});

const isSplit = (name: ReportName, query: ReportQuery): Promise<boolean> =>
  withSource(rolled, async (source) =>
    withSplit(
      { ...source, rollup: await openRollup(source) },
      name,
      query,
      async ({ rollup }) => rollup?.split !== undefined,
    ),
  );

/**
 * Ignore how a level folds: under a filter that only keys can answer, the keys decide it, and it concerns the tree
 * alone.
 */
const comparable = (report: unknown) =>
  JSON.parse(JSON.stringify(report), (key, value) =>
    ['folded', 'topPrefixes', 'prefixCount'].includes(key) ? undefined : value,
  );

/**
 * The path at which the short form tests a bound. Bounds with other fields are tested on all keys, because some paths
 * would have no keys of them.
 */
const pathOf = (bounds: ReportQuery): ReportQuery =>
  Object.keys(bounds).every((field) => /^(bytes|length)/.test(field))
    ? PATHS[BOUNDS.indexOf(bounds) % PATHS.length]!
    : PATHS[0]!;

describe.each(PATHS)('at %j', (path) => {
  it.each(BOUNDS.filter((bounds) => LONG || pathOf(bounds) === path))(
    'says what the keys say under %j',
    async (bounds) => {
      const query = { ...path, ...bounds };
      for (const name of askedAt(BOUNDS.indexOf(bounds))) {
        const label = `${name} ${JSON.stringify(query)}`;
        const report = (await runReport(rolled, name, { ...query, limit: 900 })).report;
        if (name !== 'tree')
          expect(comparable(report), label).toEqual(
            comparable((await runReport(keys, name, { ...query, limit: 900 })).report),
          );
        if (name !== 'tree' && name !== 'overview') continue;
        SPLIT_LIMITS.minKeys = Number.POSITIVE_INFINITY;
        // With another limit it is another query, for which no answer is cached.
        const whole = (await runReport(rolled, name, { ...query, limit: 901 })).report;
        SPLIT_LIMITS.minKeys = 0;
        expect(report, label).toEqual(whole);
      }
    },
  );
});

it('asks both the roll-up and the keys, where it can', async () => {
  expect(await isSplit('tree', { prefix: 'shop:', bytesMin: 300 })).toBe(true);
  expect(await isSplit('overview', { lengthMin: 2 })).toBe(true);
  expect(await isSplit('idle', { bytesMin: 300, node: [0, 2], idleMin: 86_400 })).toBe(true);
  // Queries that the roll-up answers by itself, and queries that neither it nor templates can answer.
  expect(await isSplit('types', { bytesMin: 256, bytesMax: 4095 })).toBe(false);
  expect(await isSplit('tree', { bytesMin: 300, search: '1' })).toBe(false);
  expect(await isSplit('tree', { bytesMin: 300, idleMin: 5 })).toBe(false);
  expect(await isSplit('tree', { bytesMin: 300, delimiter: '::' })).toBe(false);
  expect(await isSplit('keys', { bytesMin: 300 })).toBe(false);
});

it('looks at no cells first where there are few keys', async () => {
  SPLIT_LIMITS.minKeys = shipped.minKeys;
  expect(await isSplit('tree', { prefix: 'shop:', bytesMin: 300 })).toBe(false);
});

it('leaves to the reports what would be too many groups', async () => {
  SPLIT_LIMITS.maxGroups = 3;
  expect(await isSplit('tree', { prefix: 'shop:', bytesMin: 300 })).toBe(false);
  const query = { prefix: 'shop:', bytesMin: 301 };
  const few = (await runReport(rolled, 'overview', { ...query, limit: 7 })).report;
  SPLIT_LIMITS.maxGroups = shipped.maxGroups;
  expect((await runReport(rolled, 'overview', { ...query, limit: 8 })).report).toEqual(few);
});

it('leaves nothing on a connection, also of a question that fails', async () => {
  const query = { prefix: 'shop:', bytesMin: 300 };
  await withSource(rolled, async (source) => {
    const tables = async () =>
      (await source.query<{ table_name: string }>('SELECT table_name FROM duckdb_tables()')).map(
        (row) => row.table_name,
      );
    const asked = { ...source, rollup: await openRollup(source) };
    let meanwhile: string[] = [];
    const failing = withSplit(asked, 'overview', query, async () => {
      meanwhile = await tables();
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(meanwhile).toContain('asked_cells');
    expect(await tables()).toEqual([]);
  });
});

it('knows the sizes of a step, and the moments between two others', async () => {
  const r = random(5);
  const sizes = [
    0,
    1,
    1023,
    1024,
    1039,
    1040,
    2047,
    2048,
    4095,
    2 ** 40 - 1,
    2 ** 40,
    ...Array.from({ length: 200 }, () => Math.floor(2 ** (r() * 45))),
  ];
  const span = (days: number) => Array.from({ length: 60 }, () => AS_OF + Math.floor((r() - 0.1) * days * 86_400_000));
  await withSource(rolled, async ({ query }) => {
    for (const bytes of sizes) {
      const { from, before } = stepSpan(bytes);
      const of = (value: number) => `(SELECT ${sizeStepSql} FROM (SELECT ${value}::BIGINT AS bytes))`;
      const [row] = await query(
        `SELECT ${of(bytes)} AS own, ${of(from)} AS "first", ${of(before - 1)} AS "last", ${of(before)} AS behind`,
      );
      expect(row, String(bytes)).toEqual({ own: from, first: from, last: from, behind: before });
    }
    for (const days of [0.1, 3, 30, 4000]) {
      const some = [
        ...span(days),
        ...TIME_STEPS.flatMap(({ untilMs }) => [AS_OF + untilMs, AS_OF + untilMs + 1]),
        AS_OF,
        AS_OF + 1,
      ];
      for (const [low, high] of [
        [0, 59],
        [5, 5],
        [10, 80],
        [60, 80],
        [82, 83],
      ]) {
        const within = some.slice(low, high! + 1);
        const limits = { min: Math.min(...within), max: Math.max(...within) };
        const rows = await query<{ a: number; b: number }>(
          `SELECT ${momentSql(AS_OF)} AS a, ${momentWithinSql(AS_OF, limits)} AS b FROM (SELECT unnest([${within.join(', ')}]::BIGINT[]) AS expire_at)`,
        );
        for (const { a, b } of rows) expect(b).toBe(a);
      }
    }
  });
});
