import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeSlot } from '@/lib/redis/keys/slot';
import { seedLarge } from '@/test/deletions/seed-large';
import { LONG } from '@/test/long-form.mjs';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { serverVersions } from '@/test/servers/versions';
import { deletionSnippets } from './deletion-snippets';

/** Runs two of the snippets against a server, exactly as people copy them. The others consist of the same steps. */
const readCode = (language: string) => deletionSnippets.find((one) => one.language === language)!.code;
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
        readCode('redis-cli'),
        'drain-key',
        key,
        '-h',
        server.host,
        '-p',
        `${server.port}`,
      ]),
  ],
  ['ioredis', (key) => new Function(`${readCode('ioredis')}; return drainKey`)()(client, key, 0)],
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
  // Collections are deleted in steps, without any DEL; only a string and a compact hash are freed as a whole.
  for (const command of ['hdel', 'srem', 'ltrim', 'zremrangebyrank']) expect(calls(command)).toBeGreaterThanOrEqual(4);
  expect([calls('del'), calls('unlink'), calls('renamenx')]).toEqual([0, 2, 6]);
  await expect(drain('a:missing')).rejects.toThrow();
});

it.each(ways)('%s: renames within the slot, as a cluster reads it, or not at all', async (_language, drain) => {
  await client.config('SET', 'slowlog-log-slower-than', '0');
  for (const name of ['plain', '{tag}:a', 'a:{tag}', 'foo{bar', 'foo{bar}{zap}', 'foo{{bar}}zap', '{a}{}']) {
    await client.set(name, 'x');
    await client.slowlog('RESET');
    await drain(name);
    const log = (await client.slowlog('GET', 128)) as [number, number, number, string[]][];
    const [, from, to] = log.map((entry) => entry[3]).find(([command]) => command?.toLowerCase() === 'renamenx')!;
    expect([from, computeSlot(Buffer.from(to!))]).toEqual([name, computeSlot(Buffer.from(name))]);
  }
  // The first name is an example of S0: its first braces are empty, so the whole name decides the slot.
  for (const name of ['foo{}{bar}', 'foo{}', 'foo}bar']) {
    await client.set(name, 'stays');
    const end = await drain(name).catch((error: Error & { stderr?: string }) => error.stderr ?? error.message);
    expect([name, end]).toEqual([name, expect.stringMatching(/^not renamed: the name has a \} and no hash tag/)]);
    expect(await client.getdel(name)).toBe('stays');
  }
});

/** As written, or with DEL in place of UNLINK, as the text next to it says for servers before 4.0. */
const bash = (args: string[], free = 'UNLINK') =>
  promisify(execFile)('bash', ['-c', readCode('redis-cli').replaceAll('UNLINK', free), 'drain-key', ...args], {
    timeout: 90_000,
  });

it('redis-cli: stops at the first refusal and says what is left, instead of asking for ever', async () => {
  const limited = [
    '-h',
    server.host,
    '-p',
    `${server.port}`,
    '--user',
    'limited',
    '--pass',
    'secret',
    '--no-auth-warning',
  ];
  const members = Array.from({ length: 450 }, (_, i) => `member ${i} ${'x'.repeat(70)}`);
  const types = ['hash', 'set', 'list', 'zset', 'string'];
  for (const [denied, of] of [
    ['-hdel', 'hash'],
    ['-hscan', 'hash'],
    ['-srem', 'set'],
    ['-sscan', 'set'],
    ['-ltrim', 'list'],
    ['-zremrangebyrank', 'zset'],
    ['-unlink', 'string'],
    ['-object', 'hash'],
  ] as const) {
    // The short form tests the type whose deletion is refused, and one other.
    const drained = LONG ? types : [of, of === 'zset' ? 'list' : 'zset'];
    await client.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>secret', '~*', '+@all', denied);
    await client.hset('a:hash', Object.fromEntries(members.map((m) => [m, '1'])));
    await client.sadd('a:set', ...members);
    await client.rpush('a:list', ...members);
    await client.zadd('a:zset', ...members.flatMap((m, i) => [i, m]));
    await client.set('a:string', 'x');
    const ends = await Promise.allSettled(drained.map((type) => bash([`a:${type}`, ...limited])));
    const refused = ends.flatMap((end) =>
      end.status === 'rejected' ? [end.reason as { code: number; stderr: string }] : [],
    );
    expect([denied, refused.length]).toEqual([denied, denied === '-object' ? 0 : 1]);
    for (const { code, stderr } of refused) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^stopped, \{a:\w+\}:trash:\d+ is left: NOPERM/);
    }
    await client.flushall();
  }
});

describe.each(serverVersions(208))('redis-cli on $version', ({ binary, number }) => {
  it('takes keys of every type away', async () => {
    const other = await startRedis({ binary });
    try {
      const at = ['-h', other.host, '-p', `${other.port}`];
      const there = other.client();
      await there.set('a:string', 'x');
      if (number < 400) {
        const end = await bash(['a:string', ...at]).catch((error: { stderr: string }) => error.stderr);
        expect(end).toMatch(/is left: ERR unknown command/);
        await there.flushall();
        await there.set('a:string', 'x');
      }
      for (const type of ['hash', 'set', 'list', 'zset'] as const) await seedLarge(there, type, `a:${type}`, 450);
      for (const type of ['hash', 'set', 'list', 'zset', 'string'])
        await bash([`a:${type}`, ...at], number < 400 ? 'DEL' : 'UNLINK');
      expect(await there.dbsize()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
