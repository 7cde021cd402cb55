import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeNode } from '@/lib/model/reports/reports';
import { toSelectedNodes } from '@/lib/model/reports/selected-nodes';
import type { SelectedNode } from '@/lib/model/selected-node';
import { limitToNodes } from '@/lib/snapshots/key-query/limit-to-nodes';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * A plan of ticked nodes must have exactly the keys that the tree counts in them: no key more, none less, none twice.
 */
const NAMES = [
  'cache',
  'cache2',
  'cache:1',
  'cached:x',
  'a',
  'a:',
  'a:b',
  'a:b:c',
  ':a',
  '::',
  '{int}:x',
  '\\{int}:x',
  'user',
  ...Array.from({ length: 25 }, (_, i) => `user:${i}`),
  ...Array.from({ length: 25 }, (_, i) => `user:${i}:name`),
  ...Array.from({ length: 25 }, (_, i) => `user:${i}:namesake:x`),
  ...Array.from({ length: 25 }, (_, i) => `user_${i}:cart`),
  ...Array.from({ length: 25 }, (_, i) => `job-${i}`),
  'user:abc',
  ...Array.from({ length: 25 }, (_, i) => `\\{int}#${i}#x{${i}}|${i}`),
  ...Array.from({ length: 25 }, (_, i) => `{int}#${i}#{${i}}`),
  '用户:甲',
];

let ref: SnapshotRef;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(NAMES.length);
  const rows = NAMES.map((name, i) => ({ ...made[i]!, bytesOfName: Buffer.from(name), node: 0, db: 0 }));
  ref = await makeSealed(folder.root, 'nodes', rows);
}, 240_000);
afterAll(() => clean());

const listNames = (nodes: readonly SelectedNode[], delimiter: string) =>
  withSource(ref, async (source) => {
    const where = new Where();
    limitToNodes(where, nodes, delimiter);
    const rows = await source.query<{ name: string }>(`SELECT name FROM ${source.keys} ${where.sql}`, where.values);
    return rows.map(({ name }) => name);
  });

/** Read one level after the other: with very many queries at once the last would time out. */
async function nodesBelow(query: ReportQuery, levels: number): Promise<TreeNode[]> {
  const { children } = (await runReport(ref, 'tree', { ...query, limit: 1000 })).report;
  const nodes = [...children];
  const open = levels > 1 ? children.filter((node) => node.branchKeys > 0) : [];
  for (const node of LONG ? open : open.slice(0, 6))
    nodes.push(...(await nodesBelow({ ...query, template: node.path }, levels - 1)));
  return nodes;
}

it.each([
  [':', true],
  [':', false],
  ['_', true],
  ['-', true],
  ['#', true],
  ['|', true],
  ['::', true],
])('at every level, cut by %s, folded: %s', { timeout: 240_000 }, async (delimiter, fold) => {
  const nodes = await nodesBelow({ delimiter, fold }, 3);
  expect(nodes.length).toBeGreaterThan(10);
  for (const node of nodes) {
    const names = await listNames(toSelectedNodes(node, delimiter), delimiter);
    expect([node.path, names.length, new Set(names).size]).toEqual([node.path, node.keys, node.keys]);
  }
});

const below = (path: string) => ({ path, end: false });
const at = (path: string) => ({ path, end: true });

it('takes a key once where one node lies within another, and no key that merely begins alike', async () => {
  const both = await listNames([below('user:'), below('user:{int}:'), at('user:3'), at('cache')], ':');
  const expected = NAMES.filter((name) => name.startsWith('user:') || name === 'cache');
  expect(both.sort()).toEqual(expected.sort());
  expect(await listNames([at('a:')], ':')).toEqual(['a:']);
  expect(await listNames([at('user:{int}')], ':')).toHaveLength(25);
  expect(await listNames([at('user:{int}:name')], ':')).toHaveLength(25);
  expect(await listNames([at("') OR true --")], ':')).toEqual([]);
});
