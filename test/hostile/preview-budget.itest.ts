import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { pour, type SeedCommand } from '@/test/servers/seed';
import { toTarget } from '@/test/servers/target';

/**
 * A preview of large elements where the average suggests small ones. The server enforces the limit: it disconnects a
 * client with more than 8 MiB of unsent replies; and it counts what it has sent.
 */
const MIB = 1024 * 1024;
const LARGE = 1_000_000;
/**
 * More elements than a preview shows, all but the first twelve large: together about seven times what the server sends.
 */
const ELEMENTS = 72;
let server: RedisServer;
let client: Redis;
let session: RedisSession;
beforeAll(async () => {
  server = await startRedis({
    args: ['--client-output-buffer-limit', `normal ${8 * MIB} 0 0`],
    acl: ['user reader on >pw ~* -@all +@read -@scripting +@connection +info +memory|usage'],
  });
  client = server.client();
  session = await openSession(
    toTarget(server, { username: 'reader', password: 'pw' }),
    createDestinationPolicy({ allow: '', registered: [] }),
  );
});
afterEach(() => client.flushall());
afterAll(async () => {
  await session.close();
  await server.stop();
});

async function preview() {
  const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]);
  const before = await sent();
  const live = await fetchLiveKey(session, { key: Buffer.from('k'), db: 0, preview: true });
  return { live, sentMiB: ((await sent()) - before) / MIB };
}
const small = (i: number) => Buffer.alloc(4096, `${i}:s`);
const large = (i: number) => Buffer.alloc(LARGE, `${i}:x`);

/** The first twelve are small, and they are what MEMORY USAGE samples; sixty large ones follow. */
const at = (i: number) => (i < 12 ? small(i) : large(i));
const ORDERED: Record<string, (i: number) => SeedCommand> = {
  list: (i) => ['RPUSH', 'k', at(i)],
  zset: (i) => ['ZADD', 'k', String(i), at(i)],
  stream: (i) => ['XADD', 'k', `${i + 1}-0`, 'f', at(i)],
};
it.each(Object.keys(ORDERED))('%s: sixty large elements behind small ones', async (type) => {
  await pour(
    client,
    Array.from({ length: ELEMENTS }, (_, i) => ORDERED[type]!(i)),
  );
  const { live, sentMiB } = await preview();
  expect(live.preview).toMatchObject({ truncated: true, total: ELEMENTS });
  expect(live.preview!.rows.length).toBeGreaterThanOrEqual(12);
  expect(live.preview!.rows.length).toBeLessThan(20);
  expect(sentMiB).toBeLessThan(4);
});

it('hash: large values where the walk of the table begins', async () => {
  await client.hset('k', ...Array.from({ length: 2000 }, (_, i) => [`f${i}`, 'small']).flat());
  await client.hset('k', 'f0', 'x'.repeat(100));
  const [, first] = await client.hscan('k', 0, 'COUNT', 60);
  // Scanning jumps through the hash table, sampling goes through it in order: only the first elements are part of both.
  const hidden = first.filter((_, i) => i % 2 === 0).slice(8, 48);
  await pour(
    client,
    hidden.map((field, i) => ['HSET', 'k', field, large(i)]),
  );
  const { live, sentMiB } = await preview();
  expect(live.preview).toMatchObject({ kind: 'pairs', truncated: true, total: 2000 });
  expect(live.preview!.rows.length).toBeGreaterThanOrEqual(8);
  expect(sentMiB).toBeLessThan(8);
});

it('set: large members among small ones', async () => {
  // The position of a member is unknown, so it tries until the sampled ones are small.
  for (let trial = 0; trial < 12; trial++) {
    await client.del('k');
    const member = (i: number) => (i % 5 === 0 ? large(i + trial * 1000) : Buffer.from(`s${trial}:${i}`));
    await pour(
      client,
      Array.from({ length: 160 }, (_, i) => ['SADD', 'k', member(i)]),
    );
    if (Number(await client.memory('USAGE', 'k')) / 160 < 20_000) break;
  }
  const { live, sentMiB } = await preview();
  expect(live.preview).toMatchObject({ kind: 'items', truncated: true, total: 160 });
  expect(sentMiB).toBeLessThan(8);
});

it.each([
  ['list', ['RPUSH', 'k']],
  ['zset', ['ZADD', 'k', '1']],
  ['set', ['SADD', 'k']],
  ['hash', ['HSET', 'k', 'f']],
  ['stream', ['XADD', 'k', '1-0', 'f']],
])('%s: one element of 7 MB is known to be too large, and not asked for', async (_type, command) => {
  await pour(client, [[...command, Buffer.alloc(7_000_000, 'x')]]);
  const { live, sentMiB } = await preview();
  expect(live).toMatchObject({ exists: true, length: 1, preview: null, previewProblem: 'too_large' });
  expect(sentMiB).toBeLessThan(0.1);
});

it('an element larger than a reply may be ends the preview; what stands before it is shown', async () => {
  await pour(
    client,
    Array.from({ length: 40 }, (_, i) => ['RPUSH', 'k', i === 20 ? Buffer.alloc(5_000_000, 'x') : small(i)]),
  );
  const { live, sentMiB } = await preview();
  expect(live.preview).toMatchObject({ kind: 'items', truncated: true, total: 40 });
  expect(live.preview!.rows.length).toBeGreaterThanOrEqual(18);
  expect(live.preview!.rows.length).toBeLessThanOrEqual(20);
  expect(sentMiB).toBeLessThan(8);
});
