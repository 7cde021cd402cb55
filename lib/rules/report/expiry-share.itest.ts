import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { getRollupFolder } from '@/lib/snapshots/rollup/rollup-folder';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { computeExpiryShare } from './expiry-share';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  ({ root, clean } = await dataFolder());
});
afterAll(() => clean());

it('is the same by the keys, by the roll-up, and where that is damaged', async () => {
  const ref = await makeSealed(root, 'made', madeRows(3000));
  const ofKeys = await withSource(ref, computeExpiryShare);
  expect(ofKeys).toBeGreaterThan(0.05);
  expect(ofKeys).toBeLessThan(0.95);
  await makeRollup(ref);
  expect(await withSource(ref, computeExpiryShare)).toBe(ofKeys);
  for (const file of await readdir(getRollupFolder(ref.dir)))
    if (file.startsWith('cells')) await writeFile(path.join(getRollupFolder(ref.dir), file), 'no parquet');
  expect(await withSource(ref, computeExpiryShare)).toBe(ofKeys);
});

it('is not known of no key, and of keys whose expiry nobody knows', async () => {
  const none = await makeSealed(root, 'none', []);
  await makeRollup(none);
  expect(await withSource(none, computeExpiryShare)).toBeNull();
  const unknown = await makeSealed(
    root,
    'unknown',
    madeRows(50).map((row) => ({ ...row, expireAt: -1 })),
  );
  expect(await withSource(unknown, computeExpiryShare)).toBeNull();
  await makeRollup(unknown);
  expect(await withSource(unknown, computeExpiryShare)).toBeNull();
});
