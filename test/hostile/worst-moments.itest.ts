import type { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../deletions/faults/fault-proxy';
import { findLeftovers } from '../deletions/find-leftovers';
import { openStand, type Stand } from '../deletions/stand';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { type ServerVersion, serverVersions } from '../servers/versions';
import { temporaryData } from '../temporary-data';

/**
 * Between the last check of a key and its rename others change it: it expires, is deleted, becomes another key. With
 * the script on every version: no other key is deleted, and the job continues with the other keys.
 * LONG=1: every change is tested on every version with keys of both sizes.
 */
const OLDEST = 208;
const LEFT_ALONE = ['vanished gone_before', 'aborted changed_meanwhile'];

const ACTS: Record<string, (client: Redis) => Promise<unknown>> = {
  expires: async (client) => {
    await client.pexpire('app:key', 1);
    await expect.poll(() => client.exists('app:key')).toBe(0);
  },
  'is removed': (client) => client.del('app:key'),
  'becomes another type': async (client) => {
    await client.del('app:key');
    await client.sadd('app:key', 'mine');
  },
  'is renamed away': (client) => client.rename('app:key', 'app:moved'),
  'gets another in its place': async (client) => {
    await client.rpush('app:other', 'mine', 'mine', 'mine');
    await client.rename('app:other', 'app:key');
  },
};

async function contents(client: Redis): Promise<string> {
  const names = (await client.keys('*')).sort();
  const all = await Promise.all(
    names.map(async (name) => {
      const type = await client.type(name);
      if (type === 'hash') return [name, await client.hgetall(name)];
      if (type === 'list') return [name, await client.lrange(name, 0, -1)];
      if (type === 'set') return [name, await client.smembers(name)];
      return [name, await client.get(name)];
    }),
  );
  return JSON.stringify(all);
}

const VERSIONS = serverVersions(OLDEST);
const INSTALLED = VERSIONS.find(({ onPath }) => onPath) ?? VERSIONS.at(-1);
const OTHERS = VERSIONS.filter((one) => one !== INSTALLED);
const SIZES = ['large', 'small'] as const;

/**
 * Returns which change is tested with which key on a version. On the installed version every change is tested, with
 * keys of both sizes in turn. The other versions share the changes among them, with keys of the other size.
 */
function listMoments(version: ServerVersion) {
  const all = Object.keys(ACTS).flatMap((act, turn) => SIZES.map((size, first) => ({ act, size, turn, first })));
  return all.filter(({ turn, first }) => {
    if (LONG) return true;
    const isFirst = turn % 2 === first;
    return version === INSTALLED ? isFirst : !isFirst && turn % 3 === OTHERS.indexOf(version);
  });
}
const CASES = VERSIONS.map((version) => ({ ...version, moments: listMoments(version) }));

async function opened(binary: string) {
  const data = temporaryData();
  const redis: RedisServer = await startRedis({ binary });
  const proxy: FaultProxy = await startFaultProxy(redis.port);
  const stand: Stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
  onTestFinished(async () => {
    await stand.close();
    await proxy.stop();
    await redis.stop();
    await data.remove();
  });
  return { client: redis.client(), proxy, stand };
}

it.each(CASES)('$version', async ({ binary, moments }) => {
  const { client, proxy, stand } = await opened(binary);
  for (const { act, size } of moments) {
    const what = `a ${size} key ${act}`;
    const n = size === 'large' ? 600 : 4;
    await client.flushall();
    await client.hmset('app:key', Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, `v${i}`])));
    await client.set('app:neighbour', 'x');
    const id = await stand.plan(
      ['app:key', 'app:neighbour'].map((name, i) => ({
        name,
        type: i ? 'string' : 'hash',
        length: i ? 1 : n,
        bytes: size === 'large' ? 300_000 : 100,
      })),
      { mode: 'archive' },
    );
    const struck = proxy.strike({ word: 'EVAL', act: 'hold' });
    const job = await stand.start(id);
    const held = await struck;
    await ACTS[act]?.(client);
    const was = JSON.parse(await contents(client)).filter(([name]: [string]) => name !== 'app:neighbour');
    held.release();
    await stand.until(job, ['succeeded']);
    const items = (await stand.items(id)).map(({ state, reason }) => `${state} ${reason?.code ?? ''}`.trim());
    const is = JSON.parse(await contents(client));
    expect.soft([what, items[1]]).toEqual([what, 'done']);
    expect.soft([what, is]).toEqual([what, was]);
    expect.soft([what, await findLeftovers(stand.instanceId)]).toEqual([what, []]);
    expect.soft(LEFT_ALONE).toContain(items[0]);
  }
});

it.each(VERSIONS.filter(({ number }) => number < 302))(
  '$version, where scripts have no deadline: a rename is not sent again beside the one that may come',
  async ({ binary }) => {
    const { client, proxy, stand } = await opened(binary);
    await client.rpush('app:key', 1, 2, 3);
    const id = await stand.plan([{ name: 'app:key', type: 'list', length: 3, bytes: 100_000 }], { mode: 'unlink' });
    const struck = proxy.strike({ word: 'EVAL', act: 'late' });
    const job = await stand.start(id);
    const held = await struck;
    held.cut();
    await stand.until(job, ['succeeded']);
    expect(await stand.items(id)).toMatchObject([{ state: 'needs_review', reason: { code: 'rename_unanswered' } }]);
    expect(await client.keys('*')).toEqual(['app:key']);
    held.release();
    await expect.poll(() => client.exists('app:key')).toBe(0);
    // Whatever the late command renamed can be restored.
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await client.lrange('app:key', 0, -1)).toEqual(['1', '2', '3']);
  },
);
