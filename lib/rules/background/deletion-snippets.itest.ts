import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { deletionSnippets } from './deletion-snippets';

/** What people will copy is run as it stands: these two against a server. The same steps are written in the others. */
const codeOf = (language: string) => deletionSnippets.find((one) => one.language === language)!.code;
let server: RedisServer;
let client: Redis;
beforeAll(async () => {
  server = await startRedis();
  client = server.client();
});
afterAll(() => server.stop());

const ways: [string, (key: string) => Promise<unknown>][] = [
  [
    'redis-cli',
    (key) =>
      promisify(execFile)('bash', [
        '-c',
        codeOf('redis-cli'),
        'drain-key',
        key,
        '-h',
        server.host,
        '-p',
        `${server.port}`,
      ]),
  ],
  ['ioredis', (key) => new Function(`${codeOf('ioredis')}; return drainKey`)()(client, key, 0)],
];

it.each(ways)('%s: takes keys of every type away in steps, and leaves nothing but others', async (_language, drain) => {
  const members = Array.from({ length: 450 }, (_, i) => `member with a space ${i} ${'x'.repeat(70)}`);
  await client.hset('a:hash', Object.fromEntries(members.map((m) => [m, '1'])));
  await client.sadd('a:set', ...members);
  await client.rpush('a:list', ...members);
  await client.zadd('a:{tag}:zset', ...members.flatMap((m, i) => [i, m]));
  await client.set('a:string', 'x'.repeat(20_000), 'EX', 100);
  await client.hset('a:small', 'f', 'v');
  await client.set('a:other', 'stays');
  await client.config('RESETSTAT');
  for (const key of ['a:hash', 'a:set', 'a:list', 'a:{tag}:zset', 'a:string', 'a:small']) await drain(key);
  expect(await client.keys('*')).toEqual(['a:other']);
  const stats = await client.info('commandstats');
  const calls = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  // In steps, without one DEL; only a string and a packed hash are freed as a whole.
  for (const command of ['hdel', 'srem', 'ltrim', 'zremrangebyrank']) expect(calls(command)).toBeGreaterThanOrEqual(4);
  expect([calls('del'), calls('unlink'), calls('renamenx')]).toEqual([0, 2, 6]);
  await expect(drain('a:missing')).rejects.toThrow();
});
