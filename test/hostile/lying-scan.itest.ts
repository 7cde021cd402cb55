import { afterAll, beforeAll, expect, it } from 'vitest';
import { LONG } from '../long-form.mjs';
import { scanWhole } from '../scans/scan';
import { type Lie, type LyingProxy, startLyingProxy } from '../servers/lying-proxy';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';

/** A proxy sends false replies to a scan: every key must be there, and no invalid value may become a figure. */
const COLLECTIONS = ['hash', 'list', 'set', 'zset'];
const MANY = Array.from({ length: 6000 }, (_, i) => `m${i}`);
let redis: RedisServer;
let proxy: LyingProxy;
beforeAll(async () => {
  redis = await startRedis();
  await pour(redis.client(), [
    ...[0, 1, 2, 3].map((i) => ['SET', `string:${i}`, 'x'.repeat(i * 5000)]),
    ['HSET', 'hash', 'a', 'b'],
    ['RPUSH', 'list', 'a'],
    ['SADD', 'set', 'a'],
    ['SADD', 'large', ...MANY],
    ['ZADD', 'zset', '1', 'a'],
    ['SETEX', 'expires', '1000', 'x'],
  ]);
  proxy = await startLyingProxy(redis.port);
});
afterAll(async () => {
  await proxy.stop();
  await redis.stop();
});

type Lies = Record<string, Lie>;
/** False replies that are sent in one scan concern different facts. LONG=1: one scan for each. */
const TOGETHER: Lies[] = [
  { MEMORY: { reply: ':0\r\n' }, HLEN: { reply: ':0\r\n' }, ROLE: { reply: '$-1\r\n' } },
  { MEMORY: { reply: ':-5\r\n' }, STRLEN: { reply: ':-1\r\n' }, INFO: { reply: '$0\r\n\r\n' } },
  {
    MEMORY: { reply: ':9223372036854775807\r\n' },
    OBJECT: { reply: '$3\r\nfoo\r\n' },
    DBSIZE: { reply: ':-7\r\n' },
  },
  { MEMORY: { reply: '+OK\r\n' }, CONFIG: { reply: '*0\r\n' } },
  { SCARD: { reply: ':0\r\n' }, COMMAND: { reply: '*0\r\n' } },
];
const LIES = LONG
  ? TOGETHER.flatMap((lies) => Object.entries(lies).map(([command, lie]): Lies => ({ [command]: lie })))
  : TOGETHER;
const describeLies = (lies: Lies) =>
  Object.entries(lies)
    .map(([command, { reply }]) => `${command} says ${String(reply).trim().replace(/\s+/g, ' ')}`)
    .join(', ');

it.each(LIES.map((lies) => [describeLies(lies), lies] as const))('%s', async (_, lies) => {
  proxy.lie = ([word]) => lies[word] ?? null;
  const server = { ...redis, port: proxy.port, address: proxy.address };
  const { rows, manifest } = await scanWhole([server], { retryForMs: 1000, options: { counts: 'all' } });
  expect(manifest.coverage.partial).toBe(false);
  expect(rows.map(({ name }) => name).sort()).toHaveLength(10);
  for (const { name, type, bytes, length } of rows) {
    if (bytes !== null) expect([name, bytes > 0 && bytes < 1e9]).toEqual([name, true]);
    if (length === null) continue;
    expect([name, length]).toEqual([name, name === 'large' ? 6000 : expect.any(Number)]);
    if (COLLECTIONS.includes(type ?? '')) expect([name, length > 0]).toEqual([name, true]);
  }
  const large = rows.find(({ name }) => name === 'large');
  if (lies.MEMORY) expect(large).toMatchObject({ bytes: null, length: 6000 });
  if (lies.SCARD) expect(large?.length).toBeNull();
});
