import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { startFaultProxy } from '@/test/deletions/faults/fault-proxy';
import { type RedisServer, type ServerOptions, startRedis } from '@/test/servers/redis';
import { sessionTo } from '@/test/servers/scan-session';
import { checkBothNames } from './check-both-names';
import { compareAndRename, compareAndRenameAll, type RenameRequest } from './compare-and-rename';
import { renameBack } from './rename-back';
import type { WritingChannel } from './types';
import { SCRIPT_DENIED } from './write-failure';
import { openWritingChannel } from './writing-channel';

const closing: (() => Promise<unknown>)[] = [];
async function channelTo(
  server: { host: string; port: number },
  username?: string,
  close = closing,
): Promise<WritingChannel> {
  const session = await sessionTo(server, username ? { username, password: 'x' } : {});
  const channel = await openWritingChannel(session, `${server.host}:${server.port}`, 0);
  close.push(async () => {
    channel.close();
    await session.close();
  });
  return channel;
}
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
async function started(options: ServerOptions): Promise<RedisServer> {
  const server = await startRedis(options);
  closing.push(() => server.stop());
  return server;
}

let seq = 0;
function makeRenameRequest(
  name: string | Buffer,
  type: string,
  length: number | null,
  tolerancePercent = 10,
  maxBytes: number | null = null,
): RenameRequest {
  const bytes = Buffer.from(name);
  const tombstone = formatTombstoneName(computeSlot(bytes), 'job1', seq++);
  return { name: bytes, tombstone, type, length, tolerancePercent, maxBytes, deadline: Date.now() + 60_000 };
}

describe('compare and rename', () => {
  let server: RedisServer;
  let client: Redis;
  let channel: WritingChannel;
  const ending: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await startRedis({ args: ['--enable-debug-command', 'yes'] });
    client = server.client();
    channel = await channelTo(server, undefined, ending);
  });
  afterAll(async () => {
    for (const close of ending) await close();
    await server?.stop();
  });
  beforeEach(() => client.flushall());

  const seeds: [string, (name: Buffer) => Promise<unknown>, number][] = [
    ['string', (name) => client.set(name, 'x'.repeat(100)), 100],
    ['list', (name) => client.rpush(name, ...Array(100).keys()), 100],
    ['set', (name) => client.sadd(name, ...Array(100).keys()), 100],
    ['zset', (name) => client.zadd(name, ...Array.from({ length: 100 }, (_, i) => [i, `m${i}`]).flat()), 100],
    ['hash', (name) => client.hset(name, ...Array.from({ length: 100 }, (_, i) => [`f${i}`, i]).flat()), 100],
    ['stream', (name) => client.xadd(name, '1-1', 'f', 'v'), 1],
  ];

  it.each(seeds)('sets a %s aside whole, and tells the exact expiry it had', async (type, seed, length) => {
    for (const name of [Buffer.from('k'), Buffer.from([]), Buffer.from([0xff, 0, 0x7b, 0x7d, 0x0d, 0x0a])]) {
      const request = makeRenameRequest(name, type, length);
      const expireAt = Date.now() + 3_600_123;
      await seed(name);
      // The digest is taken before the expiry is set, because the expiry is part of it.
      const digest = await client.call('DEBUG', 'DIGEST-VALUE', name);
      await client.pexpireat(name, expireAt);
      expect(await compareAndRename(channel, request)).toEqual({ outcome: 'renamed', length, expireAt });
      expect(await client.exists(name)).toBe(0);
      expect(await client.call('DEBUG', 'DIGEST-VALUE', request.tombstone)).toEqual(digest);
      expect(await client.pttl(request.tombstone)).toBe(-1);
    }
  });

  it.each([
    [90, 'renamed'],
    [110, 'renamed'],
    [89, 'changed'],
    [111, 'changed'],
  ])('where 100 elements were approved, give or take a tenth, %i are %s', async (now, outcome) => {
    await client.rpush('l', ...Array(now).keys());
    expect(await compareAndRename(channel, makeRenameRequest('l', 'list', 100))).toMatchObject({
      outcome,
      length: now,
    });
    expect(await client.exists('l')).toBe(outcome === 'changed' ? 1 : 0);
  });

  it('leaves alone what is of another type, gone, or has its second name taken', async () => {
    await client.set('s', 'x', 'PX', 60_000);
    expect(await compareAndRename(channel, makeRenameRequest('s', 'hash', 1))).toMatchObject({ outcome: 'changed' });
    expect(await compareAndRename(channel, makeRenameRequest('none', 'hash', 1))).toMatchObject({
      outcome: 'vanished',
    });
    const request = makeRenameRequest('s', 'string', 1);
    await client.set(request.tombstone, 'theirs');
    expect(await compareAndRename(channel, request)).toMatchObject({ outcome: 'taken' });
    expect(await client.mget('s', request.tombstone)).toEqual(['x', 'theirs']);
    expect(await client.pttl('s')).toBeGreaterThan(50_000);
  });

  it('without a length to compare it is not asked, and type and memory decide', async () => {
    await client.rpush('l', 1, 2, 3);
    expect(await compareAndRename(channel, makeRenameRequest('l', 'list', null, 10, 10_000))).toMatchObject({
      outcome: 'renamed',
      length: null,
    });
    await client.rpush('l', 'x'.repeat(20_000), 2, 3);
    expect(await compareAndRename(channel, makeRenameRequest('l', 'list', null, 10, 10_000))).toMatchObject({
      outcome: 'changed',
    });
    expect(await compareAndRename(channel, makeRenameRequest('l', 'list', 3, 10, 10_000))).toMatchObject({
      outcome: 'changed',
    });
    expect(await client.llen('l')).toBe(3);
  });

  it('many in one go: each for itself', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `many:${i}`);
    for (const name of names.slice(0, 198)) await client.set(name, 'value', 'PX', 3_600_000);
    await client.sadd('many:198', 'a');
    const all = names.map((name) => makeRenameRequest(name, 'string', 5));
    await client.set(all[7]!.tombstone, 'theirs');
    const outcomes = (await compareAndRenameAll(channel, all)).map(({ outcome }) => outcome);
    expect(outcomes[7]).toBe('taken');
    expect(outcomes.slice(198)).toEqual(['changed', 'vanished']);
    expect(outcomes.filter((outcome) => outcome === 'renamed')).toHaveLength(197);
    expect((await client.keys('many:*')).sort()).toEqual(['many:198', 'many:7']);
  });

  it('gives the name back with its expiry, and overwrites nothing', async () => {
    const request = makeRenameRequest('s', 'string', 5);
    const expireAt = Date.now() + 3_600_000;
    await client.set('s', 'value', 'PXAT', expireAt);
    await compareAndRename(channel, request);
    await client.set('s', 'newer');
    const back = { tombstone: request.tombstone, name: request.name, expireAt };
    expect(await renameBack(channel, back)).toBe('recreated');
    expect(await client.mget('s', request.tombstone)).toEqual(['newer', 'value']);
    // The key is still a tombstone, so it must not expire.
    expect(await client.pttl(request.tombstone)).toBe(-1);
    expect(await checkBothNames(channel, request.name, request.tombstone)).toEqual({ original: true, tombstone: true });
    await client.del('s');
    expect(await renameBack(channel, back)).toBe('renamed');
    expect(await client.pexpiretime('s')).toBe(expireAt);
    expect(await renameBack(channel, back)).toBe('vanished');
    expect(await checkBothNames(channel, request.name, request.tombstone)).toEqual({
      original: true,
      tombstone: false,
    });
  });
});

it('a lost reply is an unknown outcome, and the two names tell what happened', async () => {
  const server = await started({});
  const client = server.client();
  const proxy = await startFaultProxy(server.port);
  closing.push(() => proxy.stop());
  for (const [act, original] of [
    ['swallow', false],
    ['lose', true],
  ] as const) {
    const request = makeRenameRequest(`l:${act}`, 'list', 1);
    await client.rpush(request.name, 1);
    const channel = await channelTo({ host: '127.0.0.1', port: proxy.port });
    const struck = proxy.strike({ word: 'EVAL', act });
    await expect(compareAndRename(channel, request)).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await struck;
    const again = await channelTo(server);
    expect(await checkBothNames(again, request.name, request.tombstone)).toEqual({ original, tombstone: !original });
  }
});

describe('servers that refuse', () => {
  it('memory is full: the script works all the same', async () => {
    const server = await started({});
    const client = server.client();
    await client.rpush('a', 1);
    const channel = await channelTo(server);
    await client.config('SET', 'maxmemory', '1');
    await expect(client.set('c', 'x')).rejects.toThrow(/OOM/);
    expect(await compareAndRename(channel, makeRenameRequest('a', 'list', 1))).toMatchObject({ outcome: 'renamed' });
  });

  it('scripts are denied: the failure says so, and the key is where it was', async () => {
    const server = await started({ acl: ['user noscript on >x ~* +@all -eval'] });
    await server.client().rpush('a', 1);
    const request = makeRenameRequest('a', 'list', 1);
    const denied = { kind: 'denied', code: SCRIPT_DENIED };
    await expect(compareAndRename(await channelTo(server, 'noscript'), request)).rejects.toMatchObject(denied);
    expect(await server.client().keys('*')).toEqual(['a']);
  });

  it.each(['RENAMENX', 'PERSIST'])('%s is renamed on the server: denied, and the key is where it was', async (word) => {
    const server = await started({ renamed: { [word]: '' } });
    const client = server.client();
    const channel = await channelTo(server);
    const expireAt = Date.now() + 60_000;
    for (const name of ['a', 'b', 'c']) await client.set(name, 'value', 'PXAT', expireAt);
    const all = ['a', 'b', 'c'].map((name) => makeRenameRequest(name, 'string', 5));
    await expect(compareAndRename(channel, all[0]!)).rejects.toMatchObject({ kind: 'denied' });
    expect(await client.exists('a', 'b', 'c')).toBe(3);
    expect(await client.pexpiretime('a')).toBe(expireAt);
    await expect(compareAndRename(channel, all[1]!)).rejects.toMatchObject({ kind: 'denied' });
  });

  it('a user who may not PERSIST is denied, and never told that the key had vanished', async () => {
    const server = await started({ acl: ['user few on >x ~* +@all -persist'] });
    const client = server.client();
    const few = await channelTo(server, 'few');
    for (const name of ['a', 'b']) await client.set(name, 'value', 'PX', 60_000);
    await expect(compareAndRename(few, makeRenameRequest('a', 'string', 5))).rejects.toMatchObject({ kind: 'denied' });
    await expect(compareAndRenameAll(few, [makeRenameRequest('b', 'string', 5)])).rejects.toMatchObject({
      kind: 'denied',
    });
  });

  it('an expiry that may not be read is not taken off', async () => {
    const server = await started({
      acl: ['user few on >x ~* +@all -pttl', 'user fewer on >x ~* +@all -pttl -pexpiretime'],
    });
    const client = server.client();
    const expireAt = Date.now() + 60_000;
    for (const name of ['a', 'b']) await client.set(name, 'value', 'PXAT', expireAt);
    const reported = await compareAndRename(await channelTo(server, 'few'), makeRenameRequest('a', 'string', 5));
    expect(reported).toMatchObject({ outcome: 'renamed', expireAt });
    const fewer = await channelTo(server, 'fewer');
    await expect(compareAndRename(fewer, makeRenameRequest('b', 'string', 5))).rejects.toMatchObject({
      kind: 'denied',
    });
    expect(await client.pexpiretime('b')).toBe(expireAt);
  });

  it('a user who may not write the key is denied, and nothing has moved', async () => {
    const server = await started({ acl: ['user few on >x %R~* ~app:* ~colonnade:* +@all'] });
    const client = server.client();
    await client.set('other', 'value');
    const request = makeRenameRequest('other', 'string', 5);
    await expect(compareAndRename(await channelTo(server, 'few'), request)).rejects.toMatchObject({ kind: 'denied' });
    expect(await client.exists('other', request.tombstone)).toBe(1);
  });

  it('where PEXPIRETIME is unknown, as before Redis 7, the expiry is known to a moment', async () => {
    const server = await started({ renamed: { PEXPIRETIME: '' } });
    const expireAt = Date.now() + 60_000;
    await server.client().set('a', 'value', 'PXAT', expireAt);
    const reported = await compareAndRename(await channelTo(server), makeRenameRequest('a', 'string', 5));
    expect(reported).toMatchObject({ outcome: 'renamed' });
    expect(Math.abs((reported.expireAt ?? 0) - expireAt)).toBeLessThan(500);
  });
});

it('an expiry that has passed meanwhile is told, and what was set aside stays', async () => {
  const server = await started({});
  const client = server.client();
  const channel = await channelTo(server);
  const request = makeRenameRequest('s', 'string', 5);
  await client.set(request.tombstone, 'value');
  const back = { tombstone: request.tombstone, name: request.name, expireAt: Date.now() - 1 };
  expect(await renameBack(channel, back)).toBe('expired');
  expect(await client.get(request.tombstone)).toBe('value');
  expect(await client.exists('s')).toBe(0);
});
