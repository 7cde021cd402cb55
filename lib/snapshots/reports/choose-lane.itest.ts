import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { withConnection } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

let root: string;
let clean: () => Promise<void>;
let small: SnapshotRef;
/** The same files with a manifest that says they have so many keys that queries run one by one. */
let large: SnapshotRef;
beforeAll(async () => {
  ({ root, clean } = await dataFolder());
  small = await makeSealed(root, 's', madeRows(2000));
  await makeRollup(small);
  large = { ...small, manifest: { ...small.manifest, keys: 20_000_001 } };
});
afterAll(() => clean());

const held: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of held.splice(0)) await release();
});

/** Occupies the one connection for such queries until it is released. */
async function holdHeavy({ dir }: SnapshotRef): Promise<() => Promise<void>> {
  let release = () => {};
  let taken = () => {};
  const begun = new Promise<void>((resolve) => {
    taken = resolve;
  });
  const ended = withConnection(dir, { lane: 'heavy' }, async () => {
    taken();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await begun;
  const end = async () => {
    release();
    await ended;
  };
  held.push(end);
  return end;
}

const WAITS_MS = 300;
const stillWaiting = (answer: Promise<unknown>) =>
  Promise.race([answer.then(() => false), new Promise((resolve) => setTimeout(() => resolve(true), WAITS_MS))]);

it('of tens of millions of keys they are asked one question at a time, the sums as many as before', async () => {
  const release = await holdHeavy(large);
  const search = runReport(large, 'overview', { search: 'cart' });
  const bound = runReport(large, 'types', { bytesMin: 77 });
  expect(await stillWaiting(search)).toBe(true);
  expect(await stillWaiting(bound)).toBe(true);
  const sums = await Promise.all([
    runReport(large, 'overview', { type: ['hash'] }),
    runReport(large, 'tree', {}),
    runReport(large, 'idle', { template: 'shop:' }),
  ]);
  expect(sums[0].report.keys).toBeGreaterThan(0);
  await release();
  const [found, types] = await Promise.all([search, bound]);
  expect(found.report.keys).toBe((await runReport(small, 'overview', { search: 'cart', sort: 'name' })).report.keys);
  expect(types.report.types.length).toBeGreaterThan(0);
});

it('the rows of tens of millions in another order than that of their names take their turn as well', async () => {
  const release = await holdHeavy(large);
  const largest = runReport(large, 'keys', { sort: '-bytes' });
  expect(await stillWaiting(largest)).toBe(true);
  expect((await runReport(large, 'keys', { sort: 'name' })).report.rows.length).toBeGreaterThan(0);
  await release();
  expect((await largest).report.rows.length).toBeGreaterThan(0);
});

it('of fewer keys they are asked beside each other', async () => {
  await holdHeavy(small);
  const answers = await Promise.all([
    runReport(small, 'overview', { search: 'user' }),
    runReport(small, 'types', { bytesMin: 78 }),
  ]);
  expect(answers[0].report.keys).toBeGreaterThan(0);
});

it('of a scan that still runs, and where no sums were made yet, the keys are all there is', async () => {
  const bare = await makeSealed(root, 'bare', madeRows(500));
  const many = { ...bare, manifest: { ...bare.manifest, keys: 20_000_001 } };
  const release = await holdHeavy(many);
  const answer = runReport(many, 'overview', {});
  expect(await stillWaiting(answer)).toBe(true);
  await release();
  expect((await answer).report.keys).toBe(bare.manifest.keys);
});
