import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { HOSTILE_NAMES } from './hostile-names.mjs';
import { seedStandalone } from './seed.mjs';
import { computeSlot } from './slot.mjs';

let redis: RedisServer;
let total: number;

beforeAll(async () => {
  redis = await startRedis();
  total = await seedStandalone(redis.port, { keys: 6000 });
});
afterAll(() => redis.stop());

it('writes what was asked for, in several databases', async () => {
  const client = redis.client();
  const keyspace = await client.info('keyspace');
  const databases = [...keyspace.matchAll(/^db(\d+):keys=(\d+)/gm)].map(([, db, keys]) => [Number(db), Number(keys)]);
  expect(databases.map(([db]) => db)).toEqual([0, 1, 2, 5, 9]);
  expect(databases.reduce((sum, [, keys]) => sum + (keys as number), 0)).toBe(total);
  expect(total).toBeGreaterThanOrEqual(6000);
});

it('has every type, cold keys, keys that stay and a storm in one minute', async () => {
  const client = redis.client();
  const [types, minutes] = [new Set<string>(), new Map<number, number>()];
  let cold = 0;
  let forever = 0;
  let cursor = '0';
  do {
    const [next, keys] = await client.scanBuffer(cursor, 'COUNT', 500);
    for (const key of keys) {
      types.add(await client.type(key));
      if (((await client.object('IDLETIME', key)) as number) > 86_400) cold += 1;
      const at = Number(await client.call('PEXPIRETIME', key));
      if (at < 0) forever += 1;
      else if (key.toString().startsWith('promo:coupon:')) minutes.set(Math.floor(at / 60_000), 1);
    }
    cursor = next.toString();
  } while (cursor !== '0');
  expect([...types].sort()).toEqual(['hash', 'list', 'set', 'stream', 'string', 'zset']);
  expect(cold).toBeGreaterThan(500);
  expect(forever).toBeGreaterThan(500);
  expect(minutes.size).toBe(1);
});

it('keeps hostile names byte for byte', async () => {
  const client = redis.client({ db: 5 });
  for (const name of HOSTILE_NAMES) expect(await client.exists(name)).toBe(1);
  expect(await client.dbsize()).toBe(new Set(HOSTILE_NAMES.map((name: Buffer) => name.toString('hex'))).size);
});

it('knows the slot of a name', async () => {
  expect(computeSlot('123456789')).toBe(12739);
  expect(computeSlot('{user1000}.following')).toBe(computeSlot('{user1000}.followers'));
  expect(computeSlot('foo{}{bar}')).not.toBe(computeSlot('bar'));
});
