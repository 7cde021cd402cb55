import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { openApart } from './faults/open-apart';
import { ROUND_BYTES_EACH, seedLarge } from './seed-large';
import type { Stand } from './stand';

/** A server that loses its last writes (a crash before they were on its disk) has lost the rename too. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let proxy: FaultProxy;
let stand: Stand;
const N = 1_000;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client({ maxRetriesPerRequest: null });
  proxy = await startFaultProxy(redis.port);
  stand = await openApart({ ...redis, port: proxy.port } as RedisServer);
});
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await redis.stop();
  await data.remove();
});

it.each([
  ['unlink', { length: N, bytes: 5_000_000 }],
  ['unlink', { length: 20, bytes: 500 }],
  ['drain', { length: 20, bytes: 500 }],
  ['archive', { length: 20, bytes: 500 }],
])('%s (%o): what is there is not called done', async (mode, size) => {
  await seedLarge(client, 'hash', 'app:key', size.length);
  const before = await client.call('DEBUG', 'DIGEST');
  await client.save();
  const id = await stand.plan([{ name: 'app:key', type: 'hash', ...size }], { mode });
  const struck = proxy.strike({ word: 'UNLINK', act: 'hold' });
  const job = await stand.start(id);
  const held = await struck;
  expect(await client.exists('app:key')).toBe(0);
  await redis.kill('SIGKILL');
  await redis.restart();
  held.drop();
  await stand.until(job, ['succeeded']);
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'rename_lost' } });
});

it('what was read twice does not count twice: a key that was lost in the middle is not called done', async () => {
  await seedLarge(client, 'hash', 'app:key', 750, ROUND_BYTES_EACH);
  const id = await stand.plan([{ name: 'app:key', type: 'hash', length: 750, bytes: 5_000_000 }]);
  const lost = proxy.strike({ word: 'HDEL', after: 3, act: 'lose' });
  const job = await stand.start(id);
  await lost;
  const held = await proxy.strike({ word: 'HDEL', after: 3, act: 'hold' });
  // None of it was on the server's disk.
  await redis.kill('SIGKILL');
  await redis.restart();
  held.drop();
  await stand.until(job, ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
});
