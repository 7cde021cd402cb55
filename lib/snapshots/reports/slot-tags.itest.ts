import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeSlot } from '@/lib/redis/keys/slot';
import { withSource } from '@/lib/snapshots/query/with-source';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { findTags } from './slot-tags';

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

const TAGS = 300;
/** Number of keys of the n-th tag; several tags have the same number. */
const toKeys = (n: number) => 1 + (n % 7);

it('tells the same tags whether it groups all of them at a time or a few', async () => {
  const [model] = madeRows(1);
  const names = Array.from({ length: TAGS }, (_, n) =>
    Array.from({ length: toKeys(n) }, (_, i) => `im:{room:${n}}:${i}`),
  ).flat();
  const rows = names.map((name, i) => {
    const bytesOfName = Buffer.from(name);
    return { ...model!, node: 0, db: 0, bytesOfName, slot: computeSlot(bytesOfName), bytes: 100 + (i % 3) };
  });
  const ref = await makeSealed(data.root, 'tags', rows);
  const all = { keys: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
  await withSource(ref, async (source) => {
    const ask = (atOnce?: number, prefix?: string) =>
      findTags({ ...source, rollup: null }, { limit: 80, prefix }, all, atOnce);
    const at = await ask();
    expect([at.tags.length, at.tagCount]).toEqual([80, TAGS]);
    expect(at.tags.map(({ keys }) => keys)).toEqual(at.tags.map(({ keys }) => keys).toSorted((a, b) => b - a));
    expect(
      at.tags.every(
        ({ tag, keys, slot }) => keys === toKeys(Number(tag.slice(5))) && slot === computeSlot(Buffer.from(tag)),
      ),
    ).toBe(true);
    // Test with many passes, and with the maximum number.
    expect(await ask(40)).toEqual(at);
    expect(await ask(1)).toEqual(at);
    expect(await ask(1, 'nothing:')).toEqual({ tags: [], tagCount: 0 });
  });
});
