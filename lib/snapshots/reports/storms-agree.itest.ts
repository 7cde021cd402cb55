import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { openRollup } from '@/lib/snapshots/rollup/open-rollup';
import { type StormPrefixes, stormPrefixes } from '@/lib/snapshots/rollup/storm-prefixes';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, type MadeRow, random } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/**
 * The roll-up excludes prefixes that cannot have storms under a filter; these must really have none. Keyspaces have
 * storms of one type, size or node among keys that expire evenly, at random moments near and far, across half minutes.
 */
let root: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  root = folder.root;
  clean = folder.clean;
});
afterAll(() => clean());

const TYPES = ['string', 'hash', null] as const;
const NAMES = [
  (i: number) => `shop:user:${i}:cart`,
  (i: number) => `shop:user:${i}:profile`,
  (i: number) => `shop:${i}:x`,
  (i: number) => `session:${i.toString(16).padStart(12, 'a')}`,
  (i: number) => `svc${i % 30}:jobs:${i}`,
  (i: number) => `one${i % 3}:a'b:${i}`,
  (i: number) => `hex:abcdef${'abcdef'[i % 6]}${'abcdef'[(i >> 3) % 6]}:${i}`,
  (i: number) => `no-delimiter-${i}`,
  (i: number) => `:${i}`,
  (i: number) => `{t${i % 4}}:{x}:${i}`,
];
const MINUTE = 60_000;

function stormy(seed: number): MadeRow[] {
  const r = random(seed);
  const int = (n: number) => Math.floor(r() * n);
  const base = (name: string, expireAt: number): MadeRow => ({
    bytesOfName: Buffer.from(name),
    node: int(3),
    db: int(4) === 0 ? 5 : 0,
    type: TYPES[int(TYPES.length)]!,
    encoding: int(2) ? 'raw' : 'listpack',
    expireAt,
    bytes: int(10) === 0 ? -1 : 60 + int(2000),
    length: 1 + int(40),
    idle: int(200_000),
    freq: -1,
  });
  const rows: MadeRow[] = [];
  const number = () => rows.length + 1;
  for (const name of NAMES) {
    const spread = [30, 3000, 90_000, 900_000][int(4)]! * MINUTE;
    const even = 150 + int(500);
    for (let i = 0; i < even; i++)
      rows.push(base(name(number()), int(9) === 0 ? -1 : AS_OF - MINUTE + Math.floor(r() * spread)));
    for (let bursts = int(3); bursts > 0; bursts--) {
      const at = AS_OF + Math.floor(r() * spread);
      const width = [1, 25_000, 61_000, 200_000][int(4)]!;
      const only = { type: TYPES[int(TYPES.length)]!, node: int(3), bytes: 60 + int(2000) };
      for (let n = 90 + int(250); n > 0; n--)
        rows.push({ ...base(name(number()), at + int(width)), ...(int(3) === 0 ? {} : only) });
    }
  }
  return rows;
}

const FILTERS: ReportQuery[] = [
  {},
  { type: ['string'] },
  { type: ['unknown', 'hash'] },
  { encoding: ['raw'] },
  { db: [5] },
  { node: [0, 2] },
  { node: [1] },
  { big: true },
  { expiry: 'any' },
  { bytesMin: 256, bytesMax: 1023 },
  { ttlMin: 3600 },
  { ttlMax: 86_399.999 },
  { idleMin: 86_400 },
  { type: ['hash'], node: [1], bytesMin: 64 },
  { bytesMin: 300 },
  { search: '1' },
  { slotMax: 9000 },
];
const PATHS: ReportQuery[] = [
  {},
  { prefix: 'shop:' },
  { prefix: 'shop:user:' },
  { template: 'shop:user:{int}:' },
  { template: 'shop:user:{int}:cart' },
  { prefix: 'shop:user:1' },
  { prefix: 'session:' },
  { prefix: "one2:a'b:" },
  { prefix: 's' },
  { template: 'svc{int}:' },
  { prefix: 'svc7:jobs:' },
  { prefix: 'hex:' },
  { prefix: ':' },
  { delimiter: '-' },
];

/** Each keyspace tests its share of the queries. The short form tests each path and each filter once or twice. */
const SHARE = LONG ? 3 : 12;
/** Minimum number of queries that have storms, whose keys are read, and whose keys are not read. */
const EXPECTED = LONG ? { stormy: 8, asked: 8, pruned: 12 } : { stormy: 1, asked: 1, pruned: 1 };

const KEYSPACES: [seed: number, pendingRows: number | undefined][] = [
  [21, 1],
  [22, 2000],
  // Evaluate all prefixes at the end, as in every roll-up of so few keys.
  ...(LONG ? ([[23, undefined]] as [number, undefined][]) : []),
];

describe.each(KEYSPACES)('keyspace %i, judged after %s rows', (seed, pendingRows) => {
  it('has the same storms by its roll-up and by its keys', async () => {
    const rows = stormy(seed);
    const keys = await makeSealed(root, `keys-${seed}`, rows);
    const rolled = await makeSealed(root, `rolled-${seed}`, rows, { fileRows: LONG ? 900 : 1400 });
    expect(rolled.manifest.files.length).toBeGreaterThan(2);
    await makeRollup(rolled, { pendingRows });
    const count = { stormy: 0, pruned: 0, asked: 0, known: 0 };
    for (const [p, path] of PATHS.entries())
      for (const [f, filter] of FILTERS.entries()) {
        if ((p + f) % SHARE !== seed % SHARE) continue;
        const query = { ...path, ...filter };
        const [a, b] = [(await runReport(keys, 'ttl', query)).report, (await runReport(rolled, 'ttl', query)).report];
        expect(b, JSON.stringify(query)).toEqual(a);
        const prefixes = await prefixesOf(rolled, query);
        count.stormy += a.storms.length > 0 ? 1 : 0;
        count.known += prefixes?.known.length ? 1 : 0;
        count.asked += prefixes === null || prefixes.asked.length > 0 ? 1 : 0;
        count.pruned += prefixes?.asked.length === 0 ? 1 : 0;
      }
    expect(count.stormy).toBeGreaterThan(EXPECTED.stormy);
    expect(count.known).toBeGreaterThan(0);
    expect(count.asked).toBeGreaterThan(EXPECTED.asked);
    expect(count.pruned).toBeGreaterThan(EXPECTED.pruned);
  });
});

it('without an expiry there is nothing to ask', async () => {
  const rows = stormy(24).map((row) => ({ ...row, expireAt: -1 }));
  const ref = await makeSealed(root, 'never', rows);
  await makeRollup(ref);
  expect(await prefixesOf(ref, { type: ['hash'] })).toEqual({ known: [], asked: [] });
  expect((await runReport(ref, 'ttl', {})).report.storms).toEqual([]);
});

const prefixesOf = (ref: SnapshotRef, { expiry: _, ...query }: ReportQuery): Promise<StormPrefixes | null> =>
  withSource(ref, async (source) =>
    stormPrefixes(await openRollup(source), query, (sql, values) => source.query(sql, values)),
  );
