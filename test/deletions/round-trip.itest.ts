import { describe, expect, it } from 'vitest';
import { LONG } from '../long-form.mjs';
import { computeDigest, digestOfAll } from './digest';
import { type LargeType, ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { standPerTest } from './stand-per-test';

const on = standPerTest();

/**
 * Each key takes several rounds: a hash by the number of its elements, the others by their bytes. LONG=1: all by
 * number.
 */
const SIZE: Record<LargeType, number> = LONG
  ? { hash: 200_000, set: 200_000, zset: 200_000, list: 200_000, stream: 50_000, string: 9_000_000 }
  : { hash: 20_000, set: 750, zset: 750, list: 750, stream: 750, string: 9_000_000 };
const SMALL = LONG ? 2000 : 250;

describe('a key that goes with an archive comes back as it was', () => {
  it.each(Object.keys(SIZE) as LargeType[])('%s', async (type) => {
    const name = `big:${type}`;
    await seedLarge(on.client, type, name, SIZE[type], LONG || type === 'hash' ? 0 : ROUND_BYTES_EACH);
    await on.client.set('neighbour', 'stays');
    const expireAt = Date.now() + 3_600_000;
    await on.client.pexpireat(name, expireAt);
    const before = await computeDigest(on.client, name);
    const id = await on.stand.plan([{ name, type, length: SIZE[type], bytes: 10_000_000 }]);
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect(await on.client.exists(name)).toBe(0);
    expect(await on.client.keys('*')).toEqual(['neighbour']);
    const [item] = await on.stand.items(id);
    expect(item).toMatchObject({ state: 'done', removed: type === 'string' ? 1 : SIZE[type] });

    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
    expect(await computeDigest(on.client, name)).toBe(before);
    expect(await on.client.pexpiretime(name)).toBe(expireAt);
    expect((await on.client.keys('*')).sort()).toEqual([name, 'neighbour'].sort());
  });

  it('many small ones in batches', async () => {
    const names: string[] = [];
    const commands = on.client.pipeline();
    for (let i = 0; i < SMALL; i++) {
      const name = `small:${i}`;
      names.push(name);
      if (i % 5 === 0) commands.set(name, `v${i}`, 'PX', 3_600_000 + i);
      else if (i % 5 === 1) commands.hset(name, { a: i, b: 'x' });
      else if (i % 5 === 2) commands.sadd(name, i, i + 1);
      else if (i % 5 === 3) commands.rpush(name, 'a', '', String(i));
      else commands.zadd(name, i, 'm', '-inf', 'n');
    }
    await commands.exec();
    const types = ['string', 'hash', 'set', 'list', 'zset'];
    const before = await digestOfAll(on.client);
    const bytes = await Promise.all(names.map((name) => on.client.call('MEMORY', 'USAGE', name)));
    const id = await on.stand.plan(
      names.map((name, i) => ({ name, type: types[i % 5] ?? '', bytes: Number(bytes[i]) })),
    );
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect(await digestOfAll(on.client)).toBe(before);
  });
});
