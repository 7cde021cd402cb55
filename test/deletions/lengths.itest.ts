import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { openStand, type Stand } from './stand';

/**
 * An application writes between the check and the rename. Within the tolerance the key is deleted, and restored as it
 * was when it was deleted.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let proxy: FaultProxy;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client();
  proxy = await startFaultProxy(redis.port);
  stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
});
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await redis.stop();
  await data.remove();
});

it.each([
  ['hold', 'the rename is heard'],
  ['swallow', 'the answer to the rename is lost'],
] as const)('small keys, %s: %s', async (act, _why) => {
  await client.set('app:counter', '9');
  const long = `app:${'x'.repeat(700)}`;
  await client.set(long, 'its name is longer than that of its tombstone');
  await client.hset('app:hash', { a: 1 });
  await client.rpush('app:list', 'a', 'b');
  const weighed = async (name: string, type: string) => ({
    name,
    type,
    bytes: Number(await client.call('MEMORY', 'USAGE', name)),
  });
  const keys = [
    await weighed('app:counter', 'string'),
    await weighed(long, 'string'),
    await weighed('app:hash', 'hash'),
    await weighed('app:list', 'list'),
  ];
  const id = await stand.plan(keys);
  const struck = proxy.strike({ word: 'EVAL', act: 'hold' });
  const job = await stand.start(id);
  const held = await struck;
  await client.incr('app:counter');
  await client.hset('app:hash', { b: 2 });
  await client.rpush('app:list', 'c');
  const before = await client.call('DEBUG', 'DIGEST');
  // All keys are in one write after the one that is held.
  if (act === 'swallow') void proxy.strike({ word: 'EVAL', act: 'swallow', after: 1 });
  held.release();
  await stand.until(job, ['succeeded']);
  expect(await client.dbsize()).toBe(0);
  expect((await stand.items(id)).map(({ state }) => state)).toEqual(keys.map(() => 'done'));
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect((await stand.items(id)).map(({ state, reason }) => [state, reason])).toEqual(keys.map(() => ['undone', null]));
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});
