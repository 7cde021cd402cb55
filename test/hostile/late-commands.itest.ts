import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../deletions/faults/fault-proxy';
import { openStand, type Stand } from '../deletions/stand';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/**
 * A proxy holds one command back, Colonnade gives it up and does the work on another connection, and the application
 * creates the key again. Then the command arrives and finds another key under the name.
 */

vi.mock('@/lib/redis/write/server-time', async (original) => (await import('./sooner')).soonerDeadlines(original));
vi.mock('@/lib/runtime/backoff-ms', async (original) => (await import('./sooner')).soonerLooks(original));

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let keeper: Redis;
let proxy: FaultProxy;
let stand: Stand;
beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ acl: ['user keeper on nopass ~* &* +@all'] });
  keeper = redis.client({ username: 'keeper', password: 'any' });
  proxy = await startFaultProxy(redis.port);
  stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
});
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await redis.stop();
  await data.remove();
});

/**
 * How the command is given up: its connection is silent for too long, or is cut. The first takes long, so the short
 * form uses it for one command only.
 */
type End = 'in silence' | 'and cut off';
const SOON: End = LONG ? 'in silence' : 'and cut off';

/** Holds this command back and lets every other one pass. Returns the id of the job and the held command. */
async function holdBack(word: string, start: () => Promise<string>) {
  const struck = proxy.strike({ word, act: 'late' });
  const job = await start();
  return { job, held: await struck };
}

describe('a rename', () => {
  it.each<[string, number, End]>([
    ['unlink', 2, 'in silence'],
    ['archive', 20_000, SOON],
    ['archive', 20, 'and cut off'],
  ])('%s of %i elements, %s: the new key of the application stays', async (mode, length, end) => {
    const fill = async () => {
      for (let at = 0; at < length; at += 1000)
        await keeper.rpush('app:key', ...Array.from({ length: Math.min(1000, length - at) }, (_, i) => at + i));
    };
    await fill();
    const id = await stand.plan([{ name: 'app:key', type: 'list', length, bytes: length * 20 }], { mode });
    const { job, held } = await holdBack('EVAL', () => stand.start(id));
    if (end === 'and cut off') held.cut();
    await stand.until(job, ['succeeded']);
    expect(await stand.items(id)).toMatchObject([{ state: 'done' }]);
    expect(await keeper.keys('*')).toEqual([]);
    await fill();
    await held.arrive();
    expect(await keeper.keys('*')).toEqual(['app:key']);
    expect(await keeper.llen('app:key')).toBe(length);
  });
});

it('an expiry: the new key of the application gets none', async () => {
  await keeper.set('app:key', 'old');
  const key = { name: 'app:key', type: 'string', length: 3, newExpireAt: 3_600_000 };
  const id = await stand.plan([key], { fromSeconds: 3600, windowSeconds: 0, only: 'none' }, 'expire');
  const { job, held } = await holdBack('EVAL', () => stand.start(id));
  if (SOON === 'and cut off') held.cut();
  await stand.until(job, ['succeeded']);
  expect(await keeper.pttl('app:key')).toBeGreaterThan(3_500_000);
  await keeper.set('app:key', 'new');
  await held.arrive();
  expect(await keeper.pttl('app:key')).toBe(-1);
});

it('the rename of an undo: no half of a key is seen while it is built again', async () => {
  const length = 3000;
  await keeper.rpush('app:key', ...Array(length).keys());
  const id = await stand.plan([{ name: 'app:key', type: 'list', length, bytes: 100_000 }]);
  await stand.until(await stand.start(id), ['succeeded']);
  const { job, held } = await holdBack('EVAL', () => stand.start(id, 'undo'));
  // The key is built again under the same internal name; then the first rename arrives.
  const pushed = proxy.strike({ word: 'RPUSH', after: 2, act: 'hold' });
  if (SOON === 'and cut off') held.cut();
  const halfway = await pushed;
  await held.arrive();
  expect(await keeper.exists('app:key')).toBe(0);
  halfway.release();
  await stand.until(job, ['succeeded']);
  expect(await keeper.lrange('app:key', 0, -1)).toEqual(Array.from({ length }, (_, i) => String(i)));
});
