import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFilter } from '@/components/reports/filter/filter-params';
import { buildLevelFilter, findExtraPrefix } from '@/components/reports/filter/level-filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { toSelectedNodes } from '@/lib/model/reports/selected-nodes';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { limitToNodes } from '@/lib/snapshots/key-query/limit-to-nodes';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * A level that ends within a segment (`user:1`) folds its ids into a form that includes more (`user:{int}`). Links of
 * its rows and plans must nevertheless select exactly the keys that the rows count.
 */
const NAMES = [
  ...Array.from({ length: 300 }, (_, i) => `user:${i}:cart:${i % 7}`),
  ...Array.from({ length: 300 }, (_, i) => `job_${i}:log`),
  'user:1',
  'user:12',
  'user:1st:x',
];
const LEVELS: [prefix: string, folded: string, keys: number][] = [
  ['user:1', 'user:{int}:', 113],
  ['job_2', 'job_{int}:', 111],
  ['user:', 'user:{int}:', 302],
];

let refs: [string, SnapshotRef][];
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(NAMES.length);
  const rows = NAMES.map((name, i) => ({ ...made[i]!, bytesOfName: Buffer.from(name), node: 0, db: 0 }));
  const rolled = await makeSealed(folder.root, 'rolled', rows);
  await makeRollup(rolled);
  refs = [
    ['roll-up', rolled],
    ['keys', await makeSealed(folder.root, 'keys', rows)],
  ];
}, 240_000);
afterAll(() => clean());

const level = async (ref: SnapshotRef, query: ReportQuery) =>
  (await runReport(ref, 'tree', { sort: 'name', limit: 1000, ...query })).report;

it.each(LEVELS)('%s: its folded row leads to the keys that it counts', async (prefix, folded, keys) => {
  for (const [answers, ref] of refs) {
    const node = (await level(ref, { prefix })).children.find(({ path }) => path === folded)!;
    expect([answers, node.keys]).toEqual([answers, keys]);
    const below = await level(ref, toFilter(buildLevelFilter(node.path, false, prefix)));
    expect([answers, below.keys]).toEqual([answers, node.branchKeys]);
    // Open the child once more, to the end of its only way down.
    const further = await level(ref, toFilter(buildLevelFilter(below.children[0]!.path, false, prefix)));
    expect([answers, further.keys]).toEqual([answers, below.children[0]!.keys]);
  }
});

it.each(LEVELS)('%s: a plan takes of its folded row the keys that it counts', async (prefix, folded, keys) => {
  const [, ref] = refs[0]!;
  const node = (await level(ref, { prefix })).children.find(({ path }) => path === folded)!;
  const beside = findExtraPrefix({ prefix }, ':');
  const taken = await withSource(ref, async (source) => {
    const where = buildFilterWhere(beside === null ? {} : { prefix: beside }, source);
    limitToNodes(where, toSelectedNodes(node, ':'), ':');
    return source.query<{ n: number }>(`SELECT count(*) AS n FROM ${source.keys} ${where.sql}`, where.values);
  });
  expect(taken).toMatchObject([{ n: keys }]);
});
