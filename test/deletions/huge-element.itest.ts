import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { finishJob } from './faults/finish-job';
import { seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/**
 * One element that is larger than any page is read alone; if it is larger than a connection may receive, the key is
 * restored instead.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client();
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

/** A page has at most one mebibyte. */
const HUGE = Buffer.alloc((LONG ? 20 : 5) * 1024 * 1024, 'x');
const TOO_LARGE = Buffer.alloc(65 * 1024 * 1024, 'x');

/** Replies this large can make a server so late that the job asks for a confirmation, which is given here. */
const finish = (job: string) => finishJob(stand, job, { mayAsk: 'critical_latency', ms: 60_000 });

it.each([
  ['hash', () => client.hset('app:big', 'huge', HUGE)],
  ['list', () => client.lset('app:big', 100, HUGE)],
  ['set', () => client.sadd('app:big', HUGE)],
] as const)('%s', async (type, add) => {
  await seedLarge(client, type, 'app:big', 1_000);
  await add();
  const before = await client.call('DEBUG', 'DIGEST');
  const id = await stand.plan([{ name: 'app:big', type, length: 1_000, bytes: 30_000_000 }]);
  await finish(await stand.start(id));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
  expect(await client.dbsize()).toBe(0);
  await finish(await stand.start(id, 'undo'));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});

it('a stream whose newest entry is huge', async () => {
  await seedLarge(client, 'stream', 'app:big', 600);
  await client.xgroup('CREATE', 'app:big', 'workers', '0');
  await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', '5', 'STREAMS', 'app:big', '>');
  await client.xadd('app:big', '*', 'huge', HUGE);
  const before = await client.call('DEBUG', 'DIGEST');
  const id = await stand.plan([{ name: 'app:big', type: 'stream', length: 601, bytes: 30_000_000 }]);
  await finish(await stand.start(id));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
  await finish(await stand.start(id, 'undo'));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});

it('a stream of which one entry has more fields than the stack holds', async () => {
  await client.call('XADD', ['app:big', '1-0', ...Array.from({ length: 140_000 }, (_, i) => `t${i}`)]);
  const before = await client.call('DEBUG', 'DIGEST');
  const id = await stand.plan([{ name: 'app:big', type: 'stream', length: 1, bytes: 1_000_000 }]);
  await finish(await stand.start(id));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
  expect(await client.dbsize()).toBe(0);
  await finish(await stand.start(id, 'undo'));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});

it('an element that is more than a connection takes ends with its reason, and can be given back', async () => {
  await seedLarge(client, 'list', 'app:big', 1_000);
  await client.lset('app:big', 100, TOO_LARGE);
  const before = await client.call('DEBUG', 'DIGEST');
  const id = await stand.plan([{ name: 'app:big', type: 'list', length: 1_000, bytes: 70_000_000 }]);
  await finish(await stand.start(id));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'element_too_large' } });
  await finish(await stand.start(id, 'undo'));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
});
