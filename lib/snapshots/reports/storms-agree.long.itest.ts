import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { LONG } from '@/test/long-form.mjs';
import { AS_OF, type MadeRow, random } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/**
 * The roll-up has the storms of whole prefixes, and the keys answer every other query; both must agree. Keyspaces have
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

/** Each keyspace tests all paths, and its share of them under each filter. */
const SHARE = LONG ? 3 : 12;
/** Minimum number of queries that have storms. */
const EXPECTED = LONG ? 8 : 1;

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
    let [found, ofPaths] = [0, 0];
    for (const [p, path] of PATHS.entries())
      for (const [f, filter] of FILTERS.entries()) {
        if (f > 0 && (p + f) % SHARE !== seed % SHARE) continue;
        const query = { ...path, ...filter };
        const [a, b] = [(await runReport(keys, 'ttl', query)).report, (await runReport(rolled, 'ttl', query)).report];
        expect(b, JSON.stringify(query)).toEqual(a);
        found += a.storms.length > 0 ? 1 : 0;
        ofPaths += f === 0 && a.storms.length > 0 ? 1 : 0;
      }
    expect(found - ofPaths).toBeGreaterThan(EXPECTED);
    expect(ofPaths).toBeGreaterThan(1);
  });
});

it('without an expiry there is nothing to ask', async () => {
  const rows = stormy(24).map((row) => ({ ...row, expireAt: -1 }));
  const ref = await makeSealed(root, 'never', rows);
  await makeRollup(ref);
  expect((await runReport(ref, 'ttl', {})).report.storms).toEqual([]);
});
