import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { temporaryData } from '../temporary-data';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/** A key that only the master has would be lost with it, so it counts as undone only when a replica has it too. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let replica: RedisServer;
let client: Redis;
let proxy: FaultProxy;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  replica = await startReplica(redis);
  client = redis.client();
  proxy = await startFaultProxy(redis.port);
  stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
});
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await replica.stop();
  await redis.stop();
  await data.remove();
});

it.each(['archive', 'quarantine'])('%s: an undo waits for a replica', async (mode) => {
  await seedLarge(client, 'hash', 'app:big', 20);
  const before = await client.call('DEBUG', 'DIGEST');
  const id = await stand.plan([{ name: 'app:big', type: 'hash', length: 20, bytes: 500_000 }], { mode });
  await stand.until(await stand.start(id), ['succeeded']);
  const struck = proxy.strike({ word: 'EVAL', act: 'hold' });
  const undo = await stand.start(id, 'undo');
  const held = await struck;
  await replica.kill('SIGSTOP');
  held.release();
  await until('the key to be there', async () => (await client.exists('app:big')) === 1);
  await until('somebody to wait for the replica', async () =>
    (await client.info('clients')).includes('blocked_clients:1'),
  );
  expect((await stand.items(id))[0]).toMatchObject({ state: 'restoring' });
  await replica.kill('SIGCONT');
  await stand.until(undo, ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});
