import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type LargeType, seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/**
 * Where renaming is denied, elements are deleted one by one from the original key; what others write meanwhile stays.
 */
const N = LONG ? 8_000 : 800;
const CASES = [
  { type: 'hash', write: ['HSET', 'big', 'written meanwhile', 'stays'], count: 'HLEN' },
  { type: 'set', write: ['SADD', 'big', 'written meanwhile'], count: 'SCARD' },
  { type: 'zset', write: ['ZADD', 'big', '7', 'written meanwhile'], count: 'ZCARD' },
] as const;

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
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
  await client.call('ACL', 'SETUSER', 'default', '-rename', '-renamenx', '-eval');
});
afterEach(async () => {
  await stand.close();
  await data.remove();
});

const readDigest = async (name: string) => ((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];
const item = async (id: string) => (await stand.items(id))[0];

describe.each(CASES)('$type', ({ type, write, count }) => {
  const key = {
    name: 'big',
    type,
    length: N,
    bytes: 5_000_000,
    mode: 'in_place' as const,
    modeReason: 'scripts_denied',
  };

  it('goes by name, and comes back when renaming is allowed again', async () => {
    await seedLarge(client, type, 'big', N);
    const before = await readDigest('big');
    const id = await stand.plan([key]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await item(id)).toMatchObject({ state: 'done', archived: N, removed: N });
    expect(await client.keys('*')).toEqual([]);
    await client.call('ACL', 'SETUSER', 'default', '+renamenx');
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await item(id)).toMatchObject({ state: 'undone', reason: null });
    expect(await readDigest('big')).toBe(before);
  });

  it('leaves what others write while it goes', async () => {
    await seedLarge(client, type, 'big', N);
    const id = await stand.plan([key], { speed: 'gentle' });
    const job = await stand.start(id);
    while (((await item(id))?.removed ?? 0) < N / 2) await new Promise((resolve) => setTimeout(resolve, 5));
    // Before or after the cursor: only elements that were read are deleted.
    const [command, ...args] = write;
    await client.call(command, ...args);
    await stand.until(job, ['succeeded']);
    const left = Number(await client.call(count, 'big'));
    const { archived } = (await item(id)) ?? { archived: 0 };
    expect(archived + left).toBe(N + 1);
  });
});

it.each<LargeType>(['list', 'stream', 'string'])('a %s has no elements by name: it is left as it is', async (type) => {
  await seedLarge(client, type, 'big', 1000);
  const before = await readDigest('big');
  const id = await stand.plan([
    { name: 'big', type, length: 1000, bytes: 100_000, mode: 'in_place', modeReason: 'scripts_denied' },
  ]);
  await stand.until(await stand.start(id), ['succeeded']);
  expect(await item(id)).toMatchObject({ state: 'failed', reason: { code: 'rename_denied' } });
  expect(await readDigest('big')).toBe(before);
});

it('of another length than the plan saw: it stays', async () => {
  await seedLarge(client, 'hash', 'big', N);
  const before = await readDigest('big');
  const id = await stand.plan([
    { name: 'big', type: 'hash', length: 100, bytes: 5_000, mode: 'in_place', modeReason: 'scripts_denied' },
  ]);
  await stand.until(await stand.start(id), ['succeeded']);
  expect(await item(id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_length' } });
  expect(await readDigest('big')).toBe(before);
});

it('passes over what expires within a minute by then, where that was asked for', async () => {
  await seedLarge(client, 'hash', 'big', 1000);
  const key = {
    name: 'big',
    type: 'hash' as const,
    length: 1000,
    bytes: 100_000,
    mode: 'in_place' as const,
    modeReason: 'scripts_denied',
  };
  const id = await stand.plan([key], { onExpiring: 'skip' });
  await client.expire('big', 50);
  // The digest includes whether the key expires.
  const before = await readDigest('big');
  await stand.until(await stand.start(id), ['succeeded']);
  expect(await item(id)).toMatchObject({ state: 'skipped', reason: { code: 'expires_soon' } });
  expect(await readDigest('big')).toBe(before);
});
