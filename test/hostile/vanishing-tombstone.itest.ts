import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { forKinds, openFixture } from '../deletions/faults/fixture';
import { KINDS, type Kind, type KindName, LARGE, SMALL_HASH } from '../deletions/faults/kinds';
import { type LargeType, seedLarge } from '../deletions/seed-large';
import { LONG } from '../long-form.mjs';

/**
 * A tombstone is deleted by another client, or evicted, while it is copied. If the copy has fewer elements than the key
 * had, the key is never reported as deleted, and a partial restore is never reported as undone.
 */
const tombstones = (client: Redis) => client.keys('colonnade:trash:*');
/**
 * The key takes several rounds of copying (four in the short form), so part of it is not even read when the first
 * elements are deleted.
 */
const [ELEMENTS, STRING_BYTES] = LONG ? [100_000, 2 ** 25 - 100_000] : [56_000, 20_000_000];
const longOne = (name: KindName): [string, Kind] => {
  const kind: Kind = KINDS[name];
  const length = name === 'string' ? STRING_BYTES : ELEMENTS;
  const seed = (client: Redis, key: string) => seedLarge(client, kind.type as LargeType, key, length);
  return [`app:the ${name}`, { ...kind, bytes: name === 'string' ? 2 ** 25 : kind.bytes, longer: { length, seed } }];
};
const restores = (client: Redis) => client.keys('colonnade:restore:*');

describe('removed by another hand in the middle of the copy', () => {
  for (const kind of LARGE)
    it(kind, async () => {
      const fixture = await openFixture([longOne(kind)], { longer: true });
      onTestFinished(() => fixture.close());
      const { client, key, stand } = fixture;
      const id = await fixture.plan();
      const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
      await client.unlink(...(await tombstones(client)));
      held.release();
      await fixture.finish(job);
      const item = await fixture.item(id);
      expect(item).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
      expect(item.reason?.params).toEqual({ archived: item.archived, length: key.kind.length });
      expect(item.archived).toBeGreaterThan(0);
      expect(item.archived).toBeLessThan(key.kind.length);
      await fixture.undoRefused(id);
      expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
      await fixture.expectKeyspace([]);
    });
});

describe('removed by another hand before anything was read', () => {
  forKinds(['listpack', 'intset', 'batched', 'stream', 'string'], async (fixture) => {
    const { client, key, stand } = fixture;
    const id = await fixture.plan();
    const { held, started: job } = await fixture.strike({ word: key.kind.read, act: 'hold' }, () => stand.start(id));
    await client.unlink(...(await tombstones(client)));
    held.release();
    await fixture.finish(job);
    expect(await fixture.item(id)).toMatchObject({ state: 'vanished', undoUntil: null });
  });
});

it('of many small keys one is removed by another hand: it alone is told, the others come back', async () => {
  const fixture = await openFixture(['one', 'two', 'three'].map((name) => [`app:small ${name}`, SMALL_HASH]));
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const id = await fixture.plan();
  const { held, started: job } = await fixture.strike({ word: 'HGETALL', act: 'hold' }, () => stand.start(id));
  const [, second = ''] = (await tombstones(client)).sort((a, b) => a.localeCompare(b));
  await client.unlink(second);
  held.release();
  await fixture.finish(job);
  const states = (await stand.items(id)).map(({ state }) => state);
  expect(states.sort()).toEqual(['done', 'done', 'vanished']);
  await fixture.undo(id);
  expect((await stand.items(id)).map(({ state }) => state).sort()).toEqual(['undone', 'undone', 'vanished']);
});

it('a small key of several pages is removed between two of them: its part is not called a copy', async () => {
  const fixture = await openFixture([
    ['app:wide', { ...SMALL_HASH, length: 130, bytes: 12_000, seed: seedWide, read: 'HSCAN' }],
  ]);
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const id = await fixture.plan();
  const { held, started: job } = await fixture.strike({ word: 'HSCAN', after: 1, act: 'hold' }, () => stand.start(id));
  await client.unlink(...(await tombstones(client)));
  held.release();
  await fixture.finish(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
  await fixture.undoRefused(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
  expect(await client.exists('app:wide')).toBe(0);
});

/** One long value prevents a listpack although the hash is small. */
async function seedWide(client: Redis, name: string) {
  await client.hset(name, Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`f${i}`, `v${i}`])));
  await client.hset(name, 'long', 'x'.repeat(100));
}

it('evicted while it is copied: not called removed', async () => {
  const fixture = await openFixture([longOne('hash')], {
    longer: true,
    args: ['--maxmemory-policy', 'allkeys-random'],
  });
  onTestFinished(() => fixture.close());
  const { client, key, stand } = fixture;
  const id = await fixture.plan();
  const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
  await client.config('SET', 'maxmemory', '1');
  await expect.poll(() => tombstones(client)).toEqual([]);
  await client.config('SET', 'maxmemory', '0');
  held.release();
  await fixture.finish(job);
  const item = await fixture.item(id);
  expect(item).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
  expect(item.archived).toBeLessThan(key.kind.length);
});

it('after its quarantine, while it is copied: not called removed', async () => {
  const fixture = await openFixture([longOne('set')], { longer: true });
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const id = await fixture.plan({ mode: 'quarantine', quarantineHours: 1 });
  await fixture.finish(await stand.start(id));
  const item = await fixture.item(id);
  await updateItem(id, 0, { journal: { ...getJournal(item), purgeAt: Date.now() } });
  const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id, 'purge'));
  await client.unlink(...(await tombstones(client)));
  held.release();
  await fixture.finish(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
});

it.each([
  ['set', (client: Redis, name: string) => client.spop(name, 5_000)],
  // A hash may have lost fields only if its fields have expiries, and these have none.
  [
    'hash',
    async (client: Redis, name: string) => client.hdel(name, ...((await client.hrandfield(name, 5_000)) as string[])),
  ],
] as [KindName, (client: Redis, name: string) => Promise<unknown>][])(
  '%s: some of its elements are removed by another hand: what is left is not freed',
  async (kind, takeSome) => {
    const fixture = await openFixture([longOne(kind)], { longer: true });
    onTestFinished(() => fixture.close());
    const { client, key, stand } = fixture;
    const id = await fixture.plan();
    const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
    const [tombstone = ''] = await tombstones(client);
    await takeSome(client, tombstone);
    held.release();
    await fixture.finish(job);
    const item = await fixture.item(id);
    expect(item).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
    expect(item.archived).toBeLessThan(key.kind.length);
  },
);

describe('while it comes back', () => {
  it('what was rebuilt is removed by another hand: not called undone, and it can be asked for again', async () => {
    const fixture = await openFixture(['hash']);
    onTestFinished(() => fixture.close());
    const { client, stand } = fixture;
    const id = await fixture.plan();
    await fixture.finish(await stand.start(id));
    const { held, started: job } = await fixture.strike({ word: 'HSET', after: 10, act: 'hold' }, () =>
      stand.start(id, 'undo'),
    );
    await client.unlink(...(await restores(client)));
    held.release();
    await fixture.finishRefused(job);
    expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
    await fixture.expectKeyspace([]);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });

  it('what was left of it is removed by another hand before its undo: not called undone', async () => {
    const fixture = await openFixture([longOne('hash')], { longer: true });
    onTestFinished(() => fixture.close());
    const { client, stand } = fixture;
    const id = await fixture.plan();
    const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
    await client.acl('SETUSER', 'default', '-hdel');
    held.release();
    await fixture.finish(job);
    await client.acl('SETUSER', 'default', '+@all');
    await client.unlink(...(await tombstones(client)));
    await fixture.undoRefused(id);
    expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
    await fixture.expectKeyspace([]);
  });
});

it('a crash leaves elements in the archive twice: they are counted once', async () => {
  const fixture = await openFixture([longOne('hash')], { longer: true });
  onTestFinished(() => fixture.close());
  const { client, key, proxy, stand } = fixture;
  const id = await fixture.plan();
  const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
  // The reply is lost, so the same elements are read again.
  void proxy.strike({ word: 'HDEL', after: 0, act: 'lose' });
  held.release();
  await fixture.finish(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'done', archived: key.kind.length });
  await fixture.undo(id);
  await fixture.expectBack(id);
  expect(await tombstones(client)).toEqual([]);
});
