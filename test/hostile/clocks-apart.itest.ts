import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { computeDigest, WITH_DIGEST } from '../deletions/digest';
import { openStand, type Stand } from '../deletions/stand';
import { LONG } from '../long-form.mjs';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { toTarget } from '../servers/target';
import { shiftOurClock } from '../shifted-clock';
import { temporaryData } from '../temporary-data';

/**
 * The clock of the server is ahead of ours: a time that is in our future is in the server's past and would delete a key
 * at once.
 */
const AHEAD_MS = 600_000;
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let stand: Stand;

beforeAll(async () => {
  redis = await startRedis({ args: WITH_DIGEST, acl: ['user timeless on nopass ~* &* +@all -time'] });
  client = redis.client();
});
afterAll(() => redis.stop());
async function open(target = {}) {
  stand = await openStand(redis, target);
}
beforeEach(async () => {
  data = temporaryData();
  stand = undefined as unknown as Stand;
  await client.flushall();
});
afterEach(async () => {
  await stand?.close();
  await data.remove();
});

const names = Array.from({ length: 50 }, (_, i) => `app:${i}`);
const soon = () => ({ fromSeconds: 120, windowSeconds: 300, only: 'none', speed: 'fast' });
const plan = (options: Record<string, unknown>) =>
  stand.plan(
    names.map((name, i) => ({ name, type: 'string', length: 1, newExpireAt: 120_000 + i * 6000 })),
    options,
    'expire',
  );

describe.each([
  ['permitted', {}, [AHEAD_MS, -AHEAD_MS]],
  ['denied', { username: 'timeless', password: null }, LONG ? [AHEAD_MS, -AHEAD_MS] : [AHEAD_MS]],
] as [string, object, number[]][])('expiries of minutes, TIME %s', (_, target, clocks) => {
  it.each(clocks)('clocks %i ms apart: every key lives as long as was approved', async (ms) => {
    await open(target);
    for (const name of names) await client.set(name, 'x');
    shiftOurClock(-ms);
    const id = await plan(soon());
    await stand.until(await stand.start(id), ['succeeded']);
    const ttls = await Promise.all(names.map((name) => client.pttl(name)));
    for (const [i, ttl] of ttls.entries()) {
      expect(ttl).toBeGreaterThan(120_000 + i * 6000 - 60_000);
      expect(ttl).toBeLessThanOrEqual(120_000 + i * 6000);
    }
    // The former expiries are restored, by the same clock.
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await Promise.all(names.map((name) => client.pttl(name)))).toEqual(names.map(() => -1));
  });
});

const LISTS = [
  { name: 'app:quarantined', mode: 'quarantine', length: 20 },
  { name: 'app:archived', mode: 'archive', length: 20 },
  // This key is deleted in pieces.
  { name: 'app:large', mode: 'archive', length: 3000 },
] as const;

/** Deletes the keys before they expire, which is soon; on a slow machine it tries again with more time. */
async function removedBeforeTheyExpire(expiresMs = 2000): Promise<{ id: string; expireAt: number; digests: string[] }> {
  await client.flushall();
  for (const { name, length } of LISTS) await client.rpush(name, ...Array(length).keys());
  const digests = await Promise.all(LISTS.map(({ name }) => computeDigest(client, name)));
  const id = await stand.plan(LISTS.map((list) => ({ ...list, type: 'list', bytes: list.length * 20 })));
  const expireAt = Date.now() + expiresMs;
  for (const { name } of LISTS) await client.pexpireat(name, expireAt);
  await stand.until(await stand.start(id), ['succeeded']);
  const states = (await stand.items(id)).map(({ state }) => state);
  if (Date.now() >= expireAt && states.includes('vanished')) return removedBeforeTheyExpire(expiresMs * 2);
  expect(states).toEqual(['quarantined', 'done', 'done']);
  return { id, expireAt, digests };
}

it('keys whose expiry has passed for the server and not for us: an undo destroys none', async () => {
  await open();
  const { id, expireAt, digests } = await removedBeforeTheyExpire();
  await sleep(expireAt - Date.now() + 100);
  shiftOurClock(-AHEAD_MS);
  await stand.until(await stand.start(id, 'undo'), ['failed']);
  for (const item of await stand.items(id)) expect(item).toMatchObject({ reason: { code: 'expired_meanwhile' } });
  // Only the quarantined key is left.
  expect(await client.keys('*')).toHaveLength(1);
  await stand.until(await stand.start(id, 'undo', { restoreExpired: true }), ['succeeded']);
  for (const item of await stand.items(id)) expect(item).toMatchObject({ state: 'undone' });
  expect(await Promise.all(LISTS.map(({ name }) => computeDigest(client, name)))).toEqual(digests);
  for (const { name } of LISTS) expect(await client.pttl(name)).toBe(-1);
});

it.each([
  [AHEAD_MS, 'clock_ahead'],
  [-AHEAD_MS, 'clock_behind'],
])('%i ms apart are measured when a connection is made, and told on the page of the server', async (ms, code) => {
  await open();
  shiftOurClock(-ms);
  const session = await openSession(toTarget(redis), createDestinationPolicy({ allow: '127.0.0.0/8', registered: [] }));
  try {
    expect(session.nodes[0]?.clockSkewMs).toBeCloseTo(ms, -5);
    const { warnings } = await readConnectionReport(session);
    expect(warnings.find((one) => one.code === code)).toMatchObject({ params: { address: redis.address } });
  } finally {
    await session.close();
  }
});
