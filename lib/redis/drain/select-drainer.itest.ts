import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ElementType } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { LONG } from '@/test/long-form.mjs';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { pour, type SeedCommand } from '@/test/servers/seed';
import { channelTo, drainAll, readDigest, rebuild, type Way } from '@/test/servers/writing-stand';
import { selectDrainer } from './select-drainer';

let redis: RedisServer;
let client: Redis;
let channel: WritingChannel;
beforeAll(async () => {
  redis = await startRedis({
    args: ['--enable-debug-command', 'yes'],
    acl: ['user noscript on nopass ~* +@all -eval'],
  });
  client = redis.client();
});
afterAll(() => redis?.stop());
afterEach(() => channel?.close());
beforeEach(async () => {
  channel = await channelTo(redis);
  await client.flushall();
  await client.set('neighbour', 'stays');
});

/**
 * Enough for some pages of 500, so that every third one can be lost, and more entries than one script reads of a
 * stream.
 */
const N = LONG ? 200_000 : 3000;
const LARGE = LONG ? 25 : 7;
const MEBIBYTES = LONG ? 30 : 4;
const binary = (size: number) => Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255));
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);
const big = binary(1024 * 1024);

interface Case {
  type: ElementType;
  encoding: string;
  length: number;
  seed: () => Iterable<SeedCommand>;
}
const each = (n: number, one: (i: number) => SeedCommand) => () => numbers(n).map(one);
const CASES: Record<string, Case> = {
  hash: { type: 'hash', encoding: 'hashtable', length: N, seed: each(N, (i) => ['HSET', 'k', `f${i}`, `v${i * 31}`]) },
  'hash of 1 MB values': {
    type: 'hash',
    encoding: 'hashtable',
    length: LARGE,
    seed: each(LARGE, (i) => ['HSET', 'k', `f${i}`, big]),
  },
  'hash of binary and empty fields': {
    type: 'hash',
    encoding: 'hashtable',
    length: 1000,
    seed: each(1000, (i) => [
      'HSET',
      'k',
      i === 0 ? '' : Buffer.from([0, 255, i & 255, i >> 8, 13, 10]),
      i % 2 ? '' : binary(80),
    ]),
  },
  set: { type: 'set', encoding: 'hashtable', length: N, seed: each(N, (i) => ['SADD', 'k', `m${i}`]) },
  zset: {
    type: 'zset',
    encoding: 'skiplist',
    length: N,
    seed: each(N, (i) => [
      'ZADD',
      'k',
      ['-inf', 'inf', '5e-324', '-0', '0', '1.7976931348623157e308', String(i / 3), String(i % 7)][i % 8] as string,
      `m${i}`,
    ]),
  },
  list: {
    type: 'list',
    encoding: 'quicklist',
    length: N,
    seed: each(N, (i) => ['RPUSH', 'k', i % 3 === 0 ? '' : `item:${i}`]),
  },
  'list of 1 MB items': {
    type: 'list',
    encoding: 'quicklist',
    length: LARGE,
    seed: each(LARGE, (i) => ['RPUSH', 'k', i % 5 ? big : '']),
  },
  'string of some MB': {
    type: 'string',
    encoding: 'raw',
    length: MEBIBYTES * big.length,
    seed: each(MEBIBYTES, (i) => ['SETRANGE', 'k', String(i * big.length), Buffer.from(big.map((byte) => byte ^ i))]),
  },
  'empty string': { type: 'string', encoding: 'embstr', length: 0, seed: each(1, () => ['SET', 'k', '']) },
  integer: { type: 'string', encoding: 'int', length: 5, seed: each(1, () => ['SET', 'k', '12345']) },
  stream: {
    type: 'stream',
    encoding: 'stream',
    length: N,
    seed: each(N, (i) => ['XADD', 'k', `${1_700_000_000_000 + (i >> 1)}-${i % 2}`, 'n', String(i), 't', '']),
  },
  'small hash': {
    type: 'hash',
    encoding: 'listpack',
    length: 100,
    seed: each(100, (i) => ['HSET', 'k', `f${i}`, `v${i}`]),
  },
  'small set of integers': {
    type: 'set',
    encoding: 'intset',
    length: 400,
    seed: each(400, (i) => ['SADD', 'k', String(i - 200)]),
  },
  'small zset': {
    type: 'zset',
    encoding: 'listpack',
    length: 100,
    seed: each(100, (i) => ['ZADD', 'k', ['-inf', 'inf', '-0', '5e-324', String(i / 3)][i % 5] as string, `m${i}`]),
  },
  'small list': {
    type: 'list',
    encoding: 'quicklist',
    length: 3,
    seed: each(3, (i) => ['RPUSH', 'k', i ? `i${i}` : '']),
  },
};
const key = Buffer.from('k');

describe.each(Object.entries(CASES))('%s', (_, { type, encoding, length, seed }) => {
  it.each<Way>(['once', 'twice', 'crash'])('goes and comes back: %s', async (way) => {
    await pour(client, seed());
    expect(await client.object('ENCODING', 'k')).toBe(encoding);
    const before = await readDigest(client, 'k');
    const drained = await drainAll(channel, type, encoding, key, way);
    expect(await client.keys('*')).toEqual(['neighbour']);
    expect(await rebuild(channel, type, key, length, drained, way !== 'once')).toMatchObject({ count: length });
    expect(await readDigest(client, 'k')).toBe(before);
    expect(await client.get('neighbour')).toBe('stays');
  });

  it('goes without a copy, and what is removed is counted', async () => {
    await pour(client, seed());
    const drainer = selectDrainer(type, encoding);
    let removed = 0;
    for (let position = {}, end = false; !end; ) {
      const removeNext = await drainer.removeNext(channel, key, position, 500);
      removed += removeNext.removed;
      position = removeNext.next;
      end = removeNext.end;
    }
    await drainer.finish(channel, key);
    expect(await client.keys('*')).toEqual(['neighbour']);
    if (type !== 'string' && encoding !== 'listpack' && encoding !== 'intset') expect(removed).toBe(length);
  });
});

it('a long listpack is built again in smaller pieces than a table: each field walks it whole', async () => {
  const n = 12_000;
  await client.config('SET', 'hash-max-listpack-entries', String(n));
  await pour(client, each(n, (i) => ['HSET', 'k', `f${i}`, `v${i}`])());
  expect(await client.object('ENCODING', 'k')).toBe('listpack');
  const digest = await readDigest(client, 'k');
  const drained = await drainAll(channel, 'hash', 'listpack', Buffer.from('k'), 'once');
  await client.config('RESETSTAT');
  expect(await rebuild(channel, 'hash', Buffer.from('k'), n, drained)).toMatchObject({ count: n });
  expect(await readDigest(client, 'k')).toBe(digest);
  const calls = Number(/cmdstat_hset:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]);
  expect(calls).toBeGreaterThan((4 * n) / 400);
  await client.config('SET', 'hash-max-listpack-entries', '128');
});

describe('streams', () => {
  const info = async () => {
    const reply = (await client.call('XINFO', 'STREAM', 'k')) as unknown[];
    const of = (name: string) => reply[reply.indexOf(name) + 1];
    return ['length', 'last-generated-id', 'max-deleted-entry-id', 'entries-added', 'groups'].map(of);
  };
  const groups = async () => client.call('XINFO', 'GROUPS', 'k');
  const pending = async (group: string) =>
    (await client.call('XPENDING', 'k', group, '-', '+', '1000000')) as [string, string, number, number][];

  /** The content of each group, without times. */
  const allGroups = async () => {
    const found = [];
    for (const group of (await groups()) as unknown[][]) {
      const of = (name: string) => group[group.indexOf(name) + 1];
      const name = String(of('name'));
      const listed = (await client.callBuffer('XINFO', 'CONSUMERS', 'k', name)) as [Buffer, Buffer][];
      found.push({
        name,
        lastId: of('last-delivered-id'),
        entriesRead: of('entries-read'),
        consumers: listed.map(([, consumer]) => consumer.toString('latin1')),
        rows: (await pending(name)).map(([id, who, , times]): [string, string, number] => [id, who, times]),
      });
    }
    return found;
  };

  it('come back with groups, consumers, pending entries, deleted and trimmed entries', async () => {
    await pour(client, each(5000, (i) => ['XADD', 'k', `${1000 + i}-0`, 'n', String(i)])());
    await client.call('XGROUP', 'CREATE', 'k', 'g1', '0');
    await client.call('XGROUP', 'CREATE', 'k', Buffer.from([0, 255, 10]), '1500-0');
    await client.call('XGROUP', 'CREATECONSUMER', 'k', 'g1', 'idle one');
    for (const name of ['ann', 'bob'])
      await client.call('XREADGROUP', 'GROUP', 'g1', name, 'COUNT', '600', 'STREAMS', 'k', '>');
    await client.call('XCLAIM', 'k', 'g1', 'bob', '0', '1001-0', 'TIME', '1700000000000', 'RETRYCOUNT', '7', 'JUSTID');
    await client.call('XTRIM', 'k', 'MINID', '1000-1');
    await client.call('XACK', 'k', 'g1', '1000-0');
    await client.xdel('k', '5000-0', '5999-0');
    const at = Date.now();
    const before = {
      digest: await readDigest(client, 'k'),
      info: await info(),
      groups: await groups(),
      rows: await pending('g1'),
    };
    const drained = await drainAll(channel, 'stream', 'stream', key, 'twice');
    expect(await client.keys('*')).toEqual(['neighbour']);
    await rebuild(channel, 'stream', key, 4997, drained, true);
    expect(await readDigest(client, 'k')).toBe(before.digest);
    expect(await info()).toEqual(before.info);
    expect(await groups()).toEqual(before.groups);
    const rows = await pending('g1');
    const gone = Date.now() - at;
    expect(rows.map(([id, who, , times]) => [id, who, times])).toEqual(
      before.rows.map(([id, who, , times]) => [id, who, times]),
    );
    for (const [index, row] of rows.entries()) {
      const drift = row[2] - (before.rows[index]?.[2] ?? 0);
      expect(drift).toBeGreaterThanOrEqual(-50);
      expect(drift).toBeLessThan(gone + 100);
    }
  });

  it.each<Way>(['once', 'twice', 'crash'])('many groups go and come back in pages: %s', async (way) => {
    const entries = LONG ? 140_000 : 90;
    const page = LONG ? 500 : 7;
    await pour(client, each(entries, (i) => ['XADD', 'k', `${1000 + i}-0`, 'n', String(i)])());
    for (const g of numbers(LONG ? 60 : 12)) {
      await client.call('XGROUP', 'CREATE', 'k', `group ${g}`, '0');
      for (const idle of numbers(g % 4 === 0 ? page * 2 : g % 4))
        await client.call('XGROUP', 'CREATECONSUMER', 'k', `group ${g}`, Buffer.from([0, 255, idle & 255, idle >> 8]));
      // The consumers of the first group have read everything, those of the others a little or nothing.
      for (const reader of g === 0 ? ['ann', 'bob', 'cy'] : g % 3 === 0 ? [] : ['ann'])
        await client.call(
          ...(['XREADGROUP', 'GROUP', `group ${g}`, reader, 'COUNT', g === 0 ? Math.ceil(entries / 3) : g] as const),
          ...(['STREAMS', 'k', '>'] as const),
        );
    }
    const before = { digest: '', all: await allGroups() };
    const kept = page * 3;
    await client.xtrim('k', 'MAXLEN', kept);
    before.digest = (await readDigest(client, 'k')) ?? '';
    const drained = await drainAll(channel, 'stream', 'stream', key, way, page);
    const pages = drained.chunks.filter(({ type }) => type === 'groups');
    expect(pages.length).toBeGreaterThan(entries / page);
    for (const { values } of pages)
      for (const part of JSON.parse(String(values[0]))) expect(part.pending.length).toBeLessThanOrEqual(page);
    const { count, lost } = await rebuild(channel, 'stream', key, kept, drained, way !== 'once');
    expect(count).toBe(kept);
    expect(await readDigest(client, 'k')).toBe(before.digest);
    // An entry that is no longer in the stream is not pending for any consumer.
    const there = (id: string) => Number(id.split('-')[0]) >= 1000 + entries - kept;
    const expected = before.all.map((group) => ({ ...group, rows: group.rows.filter(([id]) => there(id)) }));
    expect(await allGroups()).toEqual(expected);
    const rows = (all: typeof expected) => all.reduce((sum, group) => sum + group.rows.length, 0);
    expect(lost).toEqual({ rows: rows(before.all) - rows(expected), ids: ['1000-0', '1001-0', '1002-0'] });
  });

  it.each(['never written', 'trimmed to nothing'])('without entries, %s, come back with their ids', async (how) => {
    await client.call('XGROUP', 'CREATE', 'k', 'g1', '$', 'MKSTREAM');
    if (how !== 'never written') {
      await client.xadd('k', '5-5', 'a', 'b');
      await client.xtrim('k', 'MAXLEN', 0);
    }
    const before = [await info(), await groups()];
    const drained = await drainAll(channel, 'stream', 'stream', key, 'once');
    await rebuild(channel, 'stream', key, 0, drained);
    expect([await info(), await groups()]).toEqual(before);
  });
});

describe('a page that is more than a connection takes', () => {
  it('is asked for again in smaller pieces, on a new connection', async () => {
    // This user may not run scripts, so no element can be measured first.
    const open = async () => {
      const opened = await channelTo(redis, 2 * 1024 * 1024);
      await opened.call(['AUTH', 'noscript', '']);
      return opened;
    };
    channel = await open();
    await pour(client, each(340, (i) => ['RPUSH', 'k', i < 40 ? big : 'a'])());
    const drainer = selectDrainer('list', 'quicklist');
    let position: DrainPosition = {};
    let lost = 0;
    let read = 0;
    for (let end = false; !end; ) {
      try {
        const page = await drainer.read(channel, key, position, 500, 1024 * 1024);
        read += page.chunk?.elements ?? 0;
        position = page.next;
        end = page.end;
      } catch (error) {
        if (!(error instanceof WriteFailure) || error.kind !== 'unknown_outcome' || ++lost > 5) throw error;
        channel = await open();
      }
    }
    expect(lost).toBeGreaterThan(0);
    expect(read).toBe(340);
    expect(await client.llen('k')).toBe(340);
  });

  it('is refused where one element alone is too large, instead of asked for forever', async () => {
    channel = await channelTo(redis, 16 * 1024 * 1024);
    await client.rpush('k', 'a', Buffer.alloc(17 * 1024 * 1024, 'y'));
    const page = selectDrainer('list', 'quicklist').read(channel, key, {}, 500, 1024 * 1024);
    await expect(page).rejects.toMatchObject({ kind: 'refused', code: 'TOOLARGE' });
    expect(await client.llen('k')).toBe(2);
  });
});
