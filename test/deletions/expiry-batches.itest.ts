import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type RedisServer, type ServerOptions, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { openStand, type Stand } from './stand';

/**
 * Expiries are set in batches: whatever happens to one key or one reply, each key that got an expiry can get its old
 * one back.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let keeper: Redis;
let proxy: FaultProxy;
let stand: Stand;
const names = Array.from({ length: 30 }, (_, i) => (i === 17 ? 'other:17' : `app:${i}`));

async function open(options: ServerOptions = {}) {
  data = temporaryData();
  redis = await startRedis({ ...options, acl: ['user keeper on nopass ~* &* +@all'] });
  keeper = redis.client({ username: 'keeper', password: 'any' });
  proxy = await startFaultProxy(redis.port);
  stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
}
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await redis.stop();
  await data.remove();
});

const plan = (only: 'none' | 'all') =>
  stand.plan(
    names.map((name) => ({ name, type: 'string', bytes: 60, newExpireAt: 36_000_000 })),
    { fromSeconds: 3600, windowSeconds: 0, only, speed: 'fast' },
    'expire',
  );
const readStates = async (id: string) => {
  const states: Record<string, number> = {};
  for (const { state } of await stand.items(id)) states[state] = (states[state] ?? 0) + 1;
  return states;
};
const ttls = () => Promise.all(names.map((name) => keeper.pttl(name)));

describe('one key that may not be written', () => {
  it('leaves the others as they are told', async () => {
    await open();
    for (const name of names) await keeper.set(name, 'v');
    await keeper.call('ACL', 'SETUSER', 'default', 'resetkeys', '%R~*', '~app:*', '~colonnade:*');
    const id = await plan('none');
    await stand.until(await stand.start(id), ['succeeded']);
    const given = (await ttls()).filter((ttl) => ttl > 0).length;
    expect(given).toBe(29);
    expect(await readStates(id)).toEqual({ done: 29, failed: 1 });
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await ttls()).toEqual(names.map(() => -1));
  });
});

describe('an answer that is lost, on a server before 7.0', () => {
  it.each([
    ['none', null],
    ['all', 7_200_000],
  ] as const)('only %s: what each key had can be given back', async (only, had) => {
    await open({ renamed: { PEXPIRETIME: '', EXPIRETIME: '' } });
    for (const name of names) await (had === null ? keeper.set(name, 'v') : keeper.set(name, 'v', 'PX', had));
    const id = await plan(only);
    const struck = proxy.strike({ word: 'EVAL', after: 29, act: 'swallow' });
    const job = await stand.start(id);
    await struck;
    await stand.until(job, ['succeeded']);
    expect(await readStates(id)).toEqual({ done: 30 });
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    for (const ttl of await ttls())
      if (had === null) expect(ttl).toBe(-1);
      else expect(Math.abs(ttl - had)).toBeLessThan(60_000);
    expect(await readStates(id)).toEqual({ undone: 30 });
  });
});

describe('an answer to the undo that is lost', () => {
  it('does not make it a change of somebody else', async () => {
    await open();
    for (const name of names) await keeper.set(name, 'v', 'PX', 7_200_000);
    const id = await plan('all');
    await stand.until(await stand.start(id), ['succeeded']);
    const struck = proxy.strike({ word: 'EVAL', after: 29, act: 'swallow' });
    const job = await stand.start(id, 'undo');
    await struck;
    await stand.until(job, ['succeeded']);
    expect(await readStates(id)).toEqual({ undone: 30 });
  });
});
