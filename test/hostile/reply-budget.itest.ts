import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { selectDrainer, selectDrainerByName } from '@/lib/redis/drain/select-drainer';
import type { WritingChannel } from '@/lib/redis/write/types';
import { channelTo, drainAll, readDigest, rebuild } from '@/test/servers/writing-stand';
import type { DumpedType, ElementType } from '../../lib/model/deletions/archive';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour, type SeedCommand } from '../servers/seed';

/**
 * Large elements are hidden among small ones. The server enforces the limit: it disconnects a client with more than 8
 * MiB of unsent replies, so a reply that is too large ends the test.
 */
const LIMIT = 8 * 1024 * 1024;
/** Without a size check first, a page has six elements: it is made for one mebibyte each. */
const SIZES = { 'with scripts': 1024 * 1024, 'without scripts': 1024 * 1024 };
const SMALL = 1200;
/** Together the elements are twice what the server allows to be unsent. */
const HIDDEN = LONG ? 40 : 16;
const key = Buffer.from('k');

let redis: RedisServer;
let client: Redis;
let channel: WritingChannel;
beforeAll(async () => {
  redis = await startRedis({
    args: ['--enable-debug-command', 'yes', '--client-output-buffer-limit', `normal ${LIMIT} 0 0`],
    acl: ['user noscript on nopass ~* +@all -eval'],
  });
  client = redis.client();
});
afterAll(() => redis?.stop());
beforeEach(async () => {
  await client.flushall();
  channel = await channelTo(redis);
});
afterEach(() => channel?.close());

let size = SIZES['with scripts'];
const large = (i: number) => Buffer.alloc(size, `${i}:x`);
/** The first and last elements are small; all large ones are together in the middle. */
const at = (i: number) => (i >= 400 && i < 400 + HIDDEN ? large(i) : Buffer.from(`small:${i}`));
const SEED: Record<Exclude<ElementType, 'string' | DumpedType>, (i: number) => SeedCommand> = {
  list: (i) => ['RPUSH', 'k', at(i)],
  hash: (i) => ['HSET', 'k', `f${i}`, at(i)],
  set: (i) => ['SADD', 'k', at(i)],
  zset: (i) => ['ZADD', 'k', String(i), at(i)],
  stream: (i) => ['XADD', 'k', `${i + 1}-0`, 'f', at(i)],
};
const TYPES = Object.keys(SEED) as (keyof typeof SEED)[];
const length = SMALL;
const seed = async (type: keyof typeof SEED) => {
  await pour(
    client,
    Array.from({ length }, (_, i) => SEED[type](i)),
  );
  return readDigest(client, 'k');
};
const encoding = async () => String(await client.object('ENCODING', 'k'));

describe.each(['with scripts', 'without scripts'] as const)(
  '%s, no reply is larger than what one asked for',
  (scripts) => {
    beforeEach(async () => {
      size = SIZES[scripts];
      if (scripts === 'without scripts') await channel.call(['AUTH', 'noscript', '']);
    });

    it.each(TYPES)('%s: drained with a copy', async (type) => {
      const before = await seed(type);
      const drained = await drainAll(channel, type, await encoding(), key, 'once');
      expect(await client.exists('k')).toBe(0);
      expect(await rebuild(channel, type, key, length, drained)).toMatchObject({ count: length });
      expect(await readDigest(client, 'k')).toBe(before);
    });

    it.each(TYPES)('%s: drained without a copy', async (type) => {
      await seed(type);
      const drainer = selectDrainer(type, await encoding());
      let removed = 0;
      for (let position: DrainPosition = {}, end = false; !end; ) {
        const chunk = await drainer.removeNext(channel, key, position, 500);
        removed += chunk.removed;
        position = chunk.next;
        end = chunk.end;
      }
      await drainer.finish(channel, key);
      expect(removed).toBe(length);
    });

    it.each(['hash', 'zset'] as const)('%s: a compact encoding of 16 MiB and more', async (type) => {
      await client.config('SET', `${type}-max-listpack-value`, String(4 * 1024 * 1024));
      const n = LONG ? 120 : 51;
      const fields = (i: number) => (type === 'hash' ? [`f${i}`, value(i)] : [String(i), value(i)]);
      const value = (i: number) => (i % 3 === 1 ? large(i) : Buffer.from(`small:${i}`));
      await pour(
        client,
        Array.from({ length: n }, (_, i) => [type === 'hash' ? 'HSET' : 'ZADD', 'k', ...fields(i)]),
      );
      await client.config('SET', `${type}-max-listpack-value`, '64');
      expect(await encoding()).toBe('listpack');
      const before = await readDigest(client, 'k');
      const drained = await drainAll(channel, type, 'listpack', key, 'once');
      expect(await client.exists('k')).toBe(0);
      expect(drained.chunks.reduce((sum, { elements }) => sum + elements, 0)).toBe(n);
      expect(await rebuild(channel, type, key, n, drained)).toMatchObject({ count: n });
      expect(await readDigest(client, 'k')).toBe(before);
    });

    it('hash: what was compact when it was looked at and is a table of large values now', async () => {
      await seed('hash');
      const drained = await drainAll(channel, 'hash', 'listpack', key, 'once');
      expect(await client.exists('k')).toBe(0);
      expect(drained.chunks.reduce((sum, { elements }) => sum + elements, 0)).toBe(length);
    });

    it('zset: read while others write it', async () => {
      await seed('zset');
      const drainer = selectDrainerByName('zset');
      let read = 0;
      for (let position: DrainPosition = {}, end = false; !end && (position.pass ?? 0) === 0; ) {
        const page = await drainer.read(channel, key, position, 500, 1024 * 1024);
        read += page.chunk?.elements ?? 0;
        position = page.next;
        end = page.end;
      }
      expect(read).toBe(length);
    });
  },
);
