import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { describeInstance } from '@/lib/redis/server/connection-report';
import { digestOf, WITH_DIGEST } from '../deletions/digest';
import { openStand, type Stand } from '../deletions/stand';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { targetOf } from '../servers/target';
import { shiftOurClock } from '../shifted-clock';
import { temporaryData } from '../temporary-data';

/**
 * The clock of the server is ahead of ours: a moment that lies before us lies behind it, and would remove a key at
 * once.
 */
const AHEAD_MS = 600_000;
/** Long enough for a removal that began before. */
const EXPIRES_MS = 6000;
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let stand: Stand;

async function open(acl: string[] = [], target = {}) {
  data = temporaryData();
  redis = await startRedis({ args: WITH_DIGEST, acl });
  client = redis.client();
  stand = await openStand(redis, target);
}
beforeEach(() => {
  stand = undefined as unknown as Stand;
});
afterEach(async () => {
  await stand?.close();
  await redis.stop();
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
  ['a script', [], {}],
  ['a script, TIME denied', ['user few on nopass ~* &* +@all -time'], { username: 'few', password: null }],
  ['a transaction', ['user few on nopass ~* &* +@all -eval'], { username: 'few', password: null }],
] as [string, string[], object][])('expiries of minutes by %s', (_, acl, target) => {
  it.each([AHEAD_MS, -AHEAD_MS])('clocks %i ms apart: every key lives as long as was approved', async (ms) => {
    await open(acl, target);
    for (const name of names) await client.set(name, 'x');
    shiftOurClock(-ms);
    const id = await plan(soon());
    await stand.until(await stand.start(id), ['succeeded']);
    const ttls = await Promise.all(names.map((name) => client.pttl(name)));
    for (const [i, ttl] of ttls.entries()) {
      expect(ttl).toBeGreaterThan(120_000 + i * 6000 - 60_000);
      expect(ttl).toBeLessThanOrEqual(120_000 + i * 6000);
    }
    // What they had is given back, by the same clock.
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await Promise.all(names.map((name) => client.pttl(name)))).toEqual(names.map(() => -1));
  });
});

it.each([
  ['quarantine', 20],
  ['archive', 20],
  ['archive', 3000],
])(
  '%s of %i elements, whose expiry has passed for the server and not for us: an undo destroys nothing',
  async (mode, length) => {
    await open();
    const name = 'app:list';
    for (let at = 0; at < length; at += 1000) await client.rpush(name, ...Array(Math.min(1000, length - at)).keys());
    const digest = await digestOf(client, name);
    const id = await stand.plan([{ name, type: 'list', length, bytes: length * 20 }], { mode });
    await client.pexpire(name, EXPIRES_MS);
    await stand.until(await stand.start(id), ['succeeded']);
    await sleep(EXPIRES_MS);
    shiftOurClock(-AHEAD_MS);
    await stand.until(await stand.start(id, 'undo'), ['failed']);
    const [item] = await stand.items(id);
    expect(item).toMatchObject({ reason: { code: 'expired_meanwhile' } });
    if (mode === 'quarantine') expect(await client.keys('*')).toHaveLength(1);
    await stand.until(await stand.start(id, 'undo', { restoreExpired: true }), ['succeeded']);
    expect(await stand.items(id)).toMatchObject([{ state: 'undone' }]);
    expect(await digestOf(client, name)).toBe(digest);
    expect(await client.pttl(name)).toBe(-1);
  },
);

it.each([
  [AHEAD_MS, 'clock_ahead'],
  [-AHEAD_MS, 'clock_behind'],
])('%i ms apart are measured when a connection is made, and told on the page of the server', async (ms, code) => {
  await open();
  shiftOurClock(-ms);
  const session = await openSession(targetOf(redis), createDestinationPolicy({ allow: '127.0.0.0/8', registered: [] }));
  try {
    expect(session.nodes[0]?.clockSkewMs).toBeCloseTo(ms, -5);
    const { warnings } = await describeInstance(session);
    expect(warnings.find((one) => one.code === code)).toMatchObject({ params: { address: redis.address } });
  } finally {
    await session.close();
  }
});
