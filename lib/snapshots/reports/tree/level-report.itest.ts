import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

const DATES = Array.from({ length: 28 }, (_, i) => String(20261101 + i));
/** Words of three letters; their first letters are a, b, c, d and e. */
const WORDS = Array.from({ length: 125 }, (_, i) =>
  [Math.floor(i / 25), Math.floor(i / 5) % 5, i % 5].map((n) => 'abcde'[n]).join(''),
);
const NAMES = [
  ...DATES.flatMap((date) => Array.from({ length: 3 }, (_, i) => `shop:order:${date}:${i}:string`)),
  ...Array.from({ length: 30 }, (_, i) => `shop:order:${i}:x`),
  'shop:order:20261101x:y',
  ...WORDS.map((word) => `wide:x${word}:v`),
  ...Array.from({ length: 30 }, (_, i) => `wide:${i}:v`),
  'wide::v',
];

let refs: [string, SnapshotRef][];
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(NAMES.length);
  const rows = NAMES.map((name, i) => ({ ...made[i]!, bytesOfName: Buffer.from(name), node: 0, db: 0, bytes: 100 }));
  const rolled = await makeSealed(folder.root, 'rolled', rows);
  await makeRollup(rolled);
  refs = [
    ['roll-up', rolled],
    ['keys', await makeSealed(folder.root, 'keys', rows)],
    ['live', await makeLive(folder.root, 'live', rows)],
  ];
}, 240_000);
afterAll(() => clean());

const level = async (ref: SnapshotRef, query: ReportQuery) => (await runReport(ref, 'tree', query)).report;

describe('a path that ends with a folded id', () => {
  it('has the values of this id as its children, and no others', async () => {
    for (const [name, ref] of refs) {
      const { children, keys } = await level(ref, { template: 'shop:order:{date}', sort: 'name' });
      expect([name, children.map(({ segment }) => segment), keys]).toEqual([name, DATES, 84]);
      expect(children[0]).toMatchObject({ path: 'shop:order:20261101:', folds: false, branchKeys: 3, leafKeys: 0 });
    }
  });

  it('is found from the row that folds them, which is still one row above', async () => {
    for (const [name, ref] of refs) {
      const { children } = await level(ref, { prefix: 'shop:order:', sort: 'name' });
      expect([name, children.map(({ path }) => path)]).toEqual([
        name,
        ['shop:order:20261101x:', 'shop:order:{date}:', 'shop:order:{int}:'],
      ]);
    }
  });
});

describe('the children that are not on a page', () => {
  const page = { prefix: 'wide:', sort: 'name', limit: 10, nested: 'keys' } as const;
  const ask = async (ref: SnapshotRef, query: ReportQuery) => {
    const { children, rest } = await level(ref, query);
    return { shown: children.map(({ segment }) => segment), rest, groups: rest?.groups ?? [] };
  };

  it('are grouped by their beginnings, without those on the page', async () => {
    for (const [name, ref] of refs) {
      const { shown, rest, groups } = await ask(ref, page);
      // The page has the empty segment and nine words; the folded ids come last.
      expect([name, shown.length, rest?.keys]).toEqual([name, 10, 146]);
      expect([name, Object.fromEntries(groups.map(({ begins, keys }) => [begins, keys]))]).toEqual([
        name,
        { xa: 16, xb: 25, xc: 25, xd: 25, xe: 25 },
      ]);
      expect(groups.every(({ keys, bytes }) => bytes === keys * 100)).toBe(true);
    }
  });

  it('are grouped within a search and without folding, too', async () => {
    for (const [name, ref] of refs) {
      const { groups } = await ask(ref, { ...page, match: 'xb' });
      expect([name, groups.map(({ begins }) => begins).sort()]).toEqual([name, ['xbc', 'xbd', 'xbe']]);
      const unfolded = await ask(ref, { ...page, fold: false, limit: 1 });
      expect([name, unfolded.groups.find(({ begins }) => begins === '1')?.keys]).toEqual([name, 11]);
    }
  });

  it('are not grouped where nobody asked', async () => {
    for (const [name, ref] of refs) {
      const { rest } = await level(ref, { ...page, nested: undefined });
      expect([name, rest?.groups]).toEqual([name, undefined]);
    }
  });
});
