import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDeletion } from '@/lib/deletions/get-deletion';
import { makePlan } from '@/lib/deletions/make-plan';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { LONG } from '../long-form.mjs';
import { readContents } from '../servers/contents';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { pour, type SeedCommand } from '../servers/seed';
import { serverVersions } from '../servers/versions';
import { temporaryData } from '../temporary-data';
import { digestOfAll, WITH_DIGEST } from './digest';
import { seedLarge } from './seed-large';
import { openStand, type Stand, type StandKey } from './stand';
import { makeDeletion } from './stand-per-test';

/** Deletes and undoes on every installed version: all bytes, expiries and groups must be as before. */
const LARGE = LONG ? 60_000 : 1000;
/** Enough small keys for two batches. */
const SMALL = LONG ? 3000 : 60;
/** Thousands of keys, and long ones, take minutes on a server without UNLINK. */
const LIMIT_MS = LONG ? 600_000 : 240_000;
/** A request may name at most so many keys; the large ones are the first. */
const MAX_NAMED = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NAMED = ['hash', 'set', 'zset'] as const;
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

/** From this version on, WAIT shows the offset of a replica; before, the replica reports it once a second. */
const WITH_WAIT = 300;
/** The oldest version that has the commands of a plan: scripts, PTTL, RENAMENX. */
const OLDEST = 208;

interface Version {
  /** False for 2.8, which crashes on DEBUG DIGEST of compact hashes. */
  digest: boolean;
  streams: boolean;
  fieldExpiries: boolean;
}

async function seed(client: Redis, { streams, fieldExpiries }: Version): Promise<StandKey[]> {
  const keys: StandKey[] = [];
  for (const type of [...NAMED, 'list'] as const) {
    await seedLarge(client, type, `large:${type}`, LARGE);
    keys.push({ name: `large:${type}`, type, length: LARGE });
  }
  await seedLarge(client, 'string', 'large:string', LARGE * 100);
  keys.push({ name: 'large:string', type: 'string', length: LARGE * 100, bytes: LARGE * 100 });
  if (streams) {
    await seedLarge(client, 'stream', 'large:stream', LARGE);
    await client.call('XGROUP', 'CREATE', 'large:stream', 'workers', '0');
    await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', '700', 'STREAMS', 'large:stream', '>');
    keys.push({ name: 'large:stream', type: 'stream', length: LARGE });
  }
  if (fieldExpiries) {
    await client.hset('large:fields', Object.fromEntries(numbers(600).map((i) => [`f${i}`, `v${i}`])));
    const until = String(Date.now() + HOUR_MS);
    await client.call('HPEXPIREAT', 'large:fields', until, 'FIELDS', '2', 'f1', 'f2');
    keys.push({ name: 'large:fields', type: 'hash', length: 600 });
  }
  const small: [string, number, (name: string, i: number) => SeedCommand][] = [
    ['string', 7, (name) => ['SET', name, 'a\0 value']],
    ['hash', 2, (name, i) => ['HMSET', name, 'a', `${i}`, 'b', '\r\n']],
    ['set', 3, (name, i) => ['SADD', name, '1', '2', `${i + 3}`]],
    ['zset', 2, (name, i) => ['ZADD', name, '0.1', 'a', `${i}`, 'b']],
    ['list', 3, (name, i) => ['RPUSH', name, 'x', `${i}`, 'x']],
  ];
  for (const i of numbers(SMALL)) {
    const [type, length, made] = small[i % small.length] as (typeof small)[number];
    const name = `small:${i}`;
    await pour(client, [made(name, i), ...(i % 4 === 0 ? [['PEXPIRE', name, String(HOUR_MS)]] : [])]);
    keys.push({ name, type, length, bytes: 120 });
  }
  // The expiry is on a full minute, so that rounding never reaches another minute.
  await client.pexpire('large:list', HOUR_MS + MINUTE_MS - (Date.now() % MINUTE_MS));
  return keys;
}

/** Returns all values and expiries, and what a digest does not include. */
async function readState(client: Redis, { digest, streams, fieldExpiries }: Version): Promise<unknown> {
  const groups = streams && (await client.exists('large:stream')) === 1;
  const fields = fieldExpiries && (await client.exists('large:fields')) === 1;
  return {
    digest: await (digest ? digestOfAll : readContents)(client),
    // A server before 7.0 reports an expiry only as remaining time, and the test itself takes minutes.
    minute: Math.round((Date.now() + (await client.pttl('large:list'))) / MINUTE_MS),
    groups: groups && (await client.call('XINFO', 'GROUPS', 'large:stream')),
    pending: groups && (await client.call('XPENDING', 'large:stream', 'workers')),
    fields: fields && (await client.call('HPEXPIRETIME', 'large:fields', 'FIELDS', '3', 'f1', 'f2', 'f3')),
  };
}

describe.each(serverVersions(OLDEST))('$version', { timeout: LIMIT_MS }, ({ binary, valkey, number }) => {
  let data: ReturnType<typeof temporaryData>;
  let redis: RedisServer;
  let client: Redis;
  let stand: Stand;
  const version: Version = {
    digest: number >= 300,
    streams: number >= 500,
    fieldExpiries: number >= (valkey ? 900 : 704),
  };
  const open = async (renamed: Record<string, string>) => {
    data = temporaryData();
    redis = await startRedis({ binary, renamed, args: number >= 700 ? WITH_DIGEST : [] });
    client = redis.client();
    stand = await openStand(redis);
  };
  const close = async () => {
    await stand.close();
    await redis.stop();
    await data.remove();
  };
  const states = async (id: string) =>
    [...new Set((await stand.items(id)).map(({ state, reason }) => `${state} ${reason?.code ?? ''}`.trim()))].sort();

  describe('where renaming is allowed', () => {
    beforeAll(() => open({}));
    afterAll(close);

    it.each(['archive', 'quarantine'])('%s, and back', async (mode) => {
      await client.flushall();
      const keys = await seed(client, version);
      const before = await readState(client, version);
      const id = await stand.plan(keys, { mode });
      await stand.until(await stand.start(id), ['succeeded']);
      expect(await states(id)).toEqual([mode === 'archive' ? 'done' : 'quarantined']);
      expect(await client.keys('[ls]*')).toEqual([]);
      if (mode === 'archive') expect(await client.dbsize()).toBe(0);
      await stand.until(await stand.start(id, 'undo'), ['succeeded']);
      expect(await states(id)).toEqual(['undone']);
      expect(await readState(client, version)).toEqual(before);
    });

    it('plans only commands that the server has, and never frees what is large at once', async () => {
      await client.flushall();
      const seeded = await seed(client, version);
      const names = seeded.slice(0, MAX_NAMED).map(({ name }) => String(name));
      const plan = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, { mode: 'unlink' }));
      const archive = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, { mode: 'archive' }));
      const words = [...plan.commands, ...archive.commands].map((command) => command.split(' ')[0] as string);
      const known = (await client.call('COMMAND', 'INFO', ...words)) as (unknown[] | null)[];
      expect(words.filter((_, index) => !known[index])).toEqual([]);
      expect(archive.commands.some((command) => command.includes('MINID'))).toBe(version.streams && number >= 602);
      expect(plan.totals.byMode.map(({ mode }) => mode)).toEqual([number >= 400 ? 'unlink' : 'drain']);
      await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: plan.consents });
      const { job } = await getDeletion(LOCAL_ADMIN, plan.id);
      await stand.until(job?.id ?? '', ['succeeded']);
      const odd = (await stand.items(plan.id)).filter(({ state }) => state !== 'done');
      expect(odd.map(({ name, state, reason, facts }) => ({ name: String(name), state, reason, facts }))).toEqual([]);
      expect(await client.dbsize()).toBe(seeded.length - names.length);
    });

    it('archive, and back, each followed by a replica', async () => {
      await client.flushall();
      const replica = await startReplica(redis, { binary });
      try {
        const keys = (await seed(client, version)).slice(0, LONG || number >= WITH_WAIT ? 6 : 1);
        const before = await client.dbsize();
        const id = await stand.plan(keys, { mode: 'archive' });
        await stand.until(await stand.start(id), ['succeeded']);
        expect(await states(id)).toEqual(['done']);
        await stand.until(await stand.start(id, 'undo'), ['succeeded']);
        expect(await states(id)).toEqual(['undone']);
        const copy = replica.client();
        await expect.poll(() => copy.dbsize()).toBe(before);
      } finally {
        await replica.stop();
      }
    });

    it('expiries, and back', async () => {
      await client.flushall();
      const keys = (await seed(client, version)).map((key) => ({ ...key, newExpireAt: 10 * HOUR_MS }));
      const before = await readState(client, version);
      const id = await stand.plan(keys, { fromSeconds: 36_000, windowSeconds: 0, only: 'all' }, 'expire');
      await stand.until(await stand.start(id), ['succeeded']);
      expect(await states(id)).toEqual(['done']);
      expect(await client.pttl('large:hash')).toBeGreaterThan(9 * HOUR_MS);
      await stand.until(await stand.start(id, 'undo'), ['succeeded']);
      expect(await states(id)).toEqual(['undone']);
      expect(await readState(client, version)).toEqual(before);
    });
  });

  describe('where nothing may be removed', () => {
    beforeAll(() => open({ DEL: '', ...(number >= 400 && { UNLINK: '' }) }));
    afterAll(close);

    it('says so before anything is renamed', async () => {
      await seedLarge(client, 'hash', 'large:hash', LARGE);
      await expect(makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, ['large:hash']))).rejects.toMatchObject({
        code: 'nothing_to_do',
        details: { reasons: ['unlink_denied'] },
      });
    });
  });

  describe('where renaming is denied', () => {
    beforeAll(() => open({ RENAME: '', RENAMENX: '' }));
    afterAll(close);

    it('in place, and back', async () => {
      const keys = (await seed(client, version)).filter(
        ({ name, type }) => String(name).startsWith('large') && NAMED.includes(type as 'hash'),
      );
      const others = (await client.dbsize()) - keys.length;
      const before = await readState(client, version);
      const id = await stand.plan(keys, { mode: 'in_place' });
      await stand.until(await stand.start(id), ['succeeded']);
      expect(await states(id)).toEqual(['done']);
      expect(await client.dbsize()).toBe(others);
      await stand.until(await stand.start(id, 'undo'), ['succeeded']);
      expect(await states(id)).toEqual(['undone']);
      expect(await readState(client, version)).toEqual(before);
    });
  });
});
