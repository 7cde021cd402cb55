import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { buildCatalogueInfo } from '@/lib/rules/catalogue-info';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { serverVersions } from '../servers/versions';

/**
 * Compares what the texts of rules say about versions with every installed version. Whoever changes a sentence must
 * check it against the replies of servers.
 */
const OLDEST = 208;
const rules = new Map(buildCatalogueInfo().rules.map((rule) => [rule.id, rule]));
const toText = (id: string, language: 'en' | 'zh-CN') => {
  const { text, background } = rules.get(id)!;
  return [...Object.values(text[language]), ...(background?.[language] ?? [])].join(' ');
};

const said: [what: string, rule: string, en: string, zh: string][] = [
  [
    'the default policy',
    'C16',
    'noeviction since 3.0 (volatile-lru before)',
    '3.0 起为 noeviction（之前为 volatile-lru）',
  ],
  [
    'the default policy',
    'C16',
    'the default since 3.0; before it was volatile-lru',
    '3.0 起的默认值，之前为 volatile-lru',
  ],
  ['no setting before 4.0', 'V10', 'servers before 4.0, which have no such setting', '4.0 之前没有该配置'],
  ['on in Valkey 8.0', 'V10', 'Valkey 8.0 turned it on by default', 'Valkey 8.0 起默认开启'],
  [
    'DEL in Valkey 8.0',
    'V8',
    'lazyfree-lazy-user-del (6.0; on by default in Valkey 8.0)',
    'lazyfree-lazy-user-del（6.0 起；Valkey 8.0 默认开启）',
  ],
  ['DEL in Valkey 8.0', 'V9', 'lazyfree-lazy-user-del yes', 'lazyfree-lazy-user-del'],
  ['embstr', 'V12', 'Redis 2.8 has no embstr', '2.8 没有 embstr'],
  ['embstr', 'V12', 'since 3.2 it is 44', '3.2 起为 44'],
  [
    'embstr in Valkey',
    'V12',
    'together 41 in 8.1 and 113 in 9.1, with an expiry 8 less',
    '8.1 合计 41，9.1 为 113，有过期时间时少 8',
  ],
  ['compact forms', 'V19', 'ziplist before 7.0', '7.0 之前为 ziplist'],
  ['compact forms', 'V19', 'before 7.2 a set of words has no such form', '7.2 之前字符串 set 没有这种编码'],
  ['users', 'C1', 'since 6.0', '6.0 起'],
  ['lists', 'V6', 'before 3.2 such a list took about', '3.2 之前'],
  ['effort', 'T8', 'Since 6.0', '6.0 起'],
  ['several fields', 'V13', 'HMSET before 4.0', '4.0 之前用 HMSET'],
  ['protected mode', 'C15', 'protected-mode (3.2)', 'protected-mode（3.2 起）'],
];

describe('the texts', () => {
  it.each(said)('of %s (%s)', (_what, rule, en, zh) => {
    expect(toText(rule, 'en')).toContain(en);
    expect(toText(rule, 'zh-CN')).toContain(zh);
  });
});

describe.each(serverVersions(OLDEST))('$version', ({ binary, number, valkey }) => {
  const afterValkey80 = valkey && number > 800;

  let server: RedisServer;
  const call = (...words: string[]) => server.client().call(words[0]!, ...words.slice(1));
  const setting = async (name: string) => ((await call('CONFIG', 'GET', name)) as string[])[1] ?? null;
  const encoding = async (...write: string[]) => {
    await call('DEL', 'a');
    await call(...write);
    return call('OBJECT', 'ENCODING', 'a');
  };
  const works = (...words: string[]) =>
    call(...words).then(
      () => true,
      () => false,
    );
  beforeAll(async () => {
    server = await startRedis({ binary });
  });
  afterAll(() => server.stop());

  it('has the defaults that the texts name', async () => {
    expect(await setting('maxmemory-policy')).toBe(number < 300 ? 'volatile-lru' : 'noeviction');
    const lazy = valkey && number >= 800 ? 'yes' : 'no';
    expect(await setting('lazyfree-lazy-expire')).toBe(number < 400 ? null : lazy);
    expect(await setting('lazyfree-lazy-user-del')).toBe(number < 600 ? null : lazy);
    expect(await setting('hash-max-listpack-value')).toBe(number < 700 ? null : '64');
    expect(await setting('hash-max-ziplist-value')).toBe('64');
    expect((await setting('active-expire-effort')) !== null).toBe(number >= 600);
    expect((await setting('protected-mode')) !== null).toBe(number >= 302);
  });

  it('embeds strings up to the length that the texts name', async () => {
    const name = 'a'.length;
    const limit = !afterValkey80 ? null : { together: number < 900 ? 41 : 113, expiry: 8 };
    const longest = limit ? limit.together - name : number < 302 ? 39 : 44;
    const embstr = number < 300 ? 'raw' : 'embstr';
    expect(await encoding('SET', 'a', 'x'.repeat(longest))).toBe(embstr);
    expect(await encoding('SET', 'a', 'x'.repeat(longest + 1))).toBe('raw');
    if (!limit) return;
    expect(await encoding('SET', 'a', 'x'.repeat(longest - limit.expiry), 'EX', '100')).toBe(embstr);
    expect(await encoding('SET', 'a', 'x'.repeat(longest - limit.expiry + 1), 'EX', '100')).toBe('raw');
  });

  it('has the encodings that the texts name', async () => {
    expect(await encoding('SET', 'a', '123456789')).toBe('int');
    expect(await encoding('SADD', 'a', 'one', 'two')).toBe(number < 702 ? 'hashtable' : 'listpack');
    expect(await encoding('HMSET', 'a', 'f', 'v')).toBe(number < 700 ? 'ziplist' : 'listpack');
    expect(await encoding('HMSET', 'a', 'f', 'x'.repeat(65))).toBe('hashtable');
    expect(await encoding('RPUSH', 'a', 'x'.repeat(9000), 'b')).toBe(number < 302 ? 'linkedlist' : 'quicklist');
  });

  it('has the commands that the texts name', async () => {
    expect(await works('HSET', 'h', 'a', '1', 'b', '2')).toBe(number >= 400);
    expect(await works('UNLINK', 'h')).toBe(number >= 400);
    expect(await works('ACL', 'SETUSER', 'default', '-keys', '-flushall', '-flushdb')).toBe(number >= 600);
    expect(await works('XADD', 's', 'MAXLEN', '10', '*', 'a', 'b')).toBe(number >= 500);
  });

  it('has no command that N20 does not know', async () => {
    const names = ((await call('COMMAND')) as [string][]).map(([name]) => name.toLowerCase());
    expect(names.length).toBeGreaterThan(100);
    // An internal command of servers, and an easter egg.
    const own = new Set(['host:', 'post']);
    expect(names.filter((name) => !COMMAND_NAMES.includes(name) && !own.has(name) && !name.includes('.'))).toEqual([]);
  });

  it('makes HyperLogLogs that no limit of the standards calls a bigkey: small while sparse, then of one length', async () => {
    await call('DEL', 'uv');
    let sparse = 0;
    for (let i = 0; i < 60; i++) {
      await pour(
        server.client(),
        Array.from({ length: 50 }, (_, j) => ['PFADD', 'uv', `visitor ${i * 50 + j}`]),
      );
      const length = Number(await call('STRLEN', 'uv'));
      if (length !== HYPERLOGLOG_BYTES) sparse = Math.max(sparse, length);
    }
    expect(Number(await call('STRLEN', 'uv'))).toBe(HYPERLOGLOG_BYTES);
    expect(sparse).toBeGreaterThan(1000);
    expect(sparse).toBeLessThanOrEqual(3100);
  });
});
