import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type LargeType, seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

let redis: RedisServer;
let client: Redis;
let data: ReturnType<typeof temporaryData>;
let stand: Stand;
beforeAll(async () => {
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  data = temporaryData();
  await client.flushall();
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await data.remove();
});

const digest = async (name: string) => ((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];
const SIZE: Record<LargeType, number> = {
  hash: 200_000,
  set: 200_000,
  zset: 200_000,
  list: 200_000,
  stream: 50_000,
  string: 9_000_000,
};

describe('a key that goes with an archive comes back as it was', () => {
  it.each(Object.keys(SIZE) as LargeType[])('%s', async (type) => {
    const name = `big:${type}`;
    await seedLarge(client, type, name, SIZE[type]);
    await client.set('neighbour', 'stays');
    const expireAt = Date.now() + 3_600_000;
    await client.pexpireat(name, expireAt);
    const before = await digest(name);
    const id = await stand.plan([{ name, type, length: SIZE[type], bytes: 10_000_000 }]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await client.exists(name)).toBe(0);
    expect(await client.keys('*')).toEqual(['neighbour']);
    const [item] = await stand.items(id);
    expect(item).toMatchObject({ state: 'done', removed: type === 'string' ? 1 : SIZE[type] });

    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
    expect(await digest(name)).toBe(before);
    expect(await client.pexpiretime(name)).toBe(expireAt);
    expect((await client.keys('*')).sort()).toEqual([name, 'neighbour'].sort());
  });

  it('many small ones in batches', async () => {
    const names: string[] = [];
    const commands = client.pipeline();
    for (let i = 0; i < 2000; i++) {
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
    const before = (await client.call('DEBUG', 'DIGEST')) as string;
    const id = await stand.plan(names.map((name, i) => ({ name, type: types[i % 5] ?? '', bytes: 100 })));
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await client.dbsize()).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
  });
});
