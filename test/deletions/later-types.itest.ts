import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlan } from '@/lib/deletions/make-plan';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { buildAclRules } from '@/lib/model/servers/acl-users';
import { type Liar, type Lie, type LyingProxy, startLyingProxy } from '../servers/lying-proxy';
import { type RedisServer, startRedis } from '../servers/redis';
import { withVectorSets } from '../servers/versions';
import { temporaryData } from '../temporary-data';
import { computeDigest, WITH_DIGEST } from './digest';
import { openStand, type Stand } from './stand';
import { makeDeletion } from './stand-per-test';

/**
 * Types that are archived as the server's DUMP. No server with arrays is available, so the proxy presents a vector set
 * as an array, with the commands that an array has.
 */
const vectors = withVectorSets();
const DIMENSIONS = 64;
/** More members than a batch of small keys takes, and fewer than one command may copy. */
const MEMBERS = 500;

const IN_PLACE_OF: Record<string, string> = { array: 'vectorset', ARCOUNT: 'VCARD' };
const asArray: Liar = ([command], words) => ({
  sent: words.map((word) => IN_PLACE_OF[word] ?? word),
  ...(command === 'TYPE' && { reply: (truth) => truth.toString('latin1').replace('vectorset', 'array') }),
});

describe.skipIf(!vectors)('a key that is kept whole', () => {
  let redis: RedisServer;
  let client: Redis;
  let proxy: LyingProxy;
  let data: ReturnType<typeof temporaryData>;
  let stand: Stand;
  beforeAll(async () => {
    const acl = ['user admin on >secret ~* &* +@all'];
    redis = await startRedis({ binary: vectors?.binary ?? '', args: WITH_DIGEST, acl });
    client = redis.client({ username: 'admin', password: 'secret' });
    proxy = await startLyingProxy(redis.port);
  });
  afterAll(async () => {
    await proxy.stop();
    await redis.stop();
  });
  beforeEach(async () => {
    await client.flushall();
    data = temporaryData();
    stand = await openStand({ ...redis, port: proxy.port, address: proxy.address });
  });
  afterEach(async () => {
    proxy.lie = null;
    await stand.close();
    await data.remove();
  });

  async function seed(name: string, members: number) {
    const vector = (i: number) => Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(i * DIMENSIONS + at));
    for (let from = 0; from < members; from += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, members - from) }, (_, i) =>
          client.call('VADD', name, 'VALUES', DIMENSIONS, ...vector(from + i), `m${from + i}`, 'SETATTR', `{"n":${i}}`),
        ),
      );
    return Number(await client.call('MEMORY', 'USAGE', name));
  }
  /** Returns what the digest does not cover: attributes, and the results of a search. */
  const similar = async (name: string) => [
    await client.call('VSIM', name, 'ELE', 'm1', 'WITHSCORES', 'COUNT', '10'),
    await client.call('VGETATTR', name, 'm2'),
  ];
  const reasons = async (names: string[], options = {}) =>
    makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, options)).then(
      ({ totals: _, excluded, ...plan }) => ({ ...plan, excluded: excluded.map(({ reason }) => reason.code) }),
      ({ code, details }) => ({ code, ...details }),
    );

  describe.each([
    ['vectorset', null],
    ['array', asArray],
  ])('%s', (type, lie) => {
    it.each(['archive', 'quarantine'])('%s, and back as it was', async (mode) => {
      const bytes = await seed('large', MEMBERS);
      const small = await seed('small', 3);
      const expireAt = Date.now() + 3_600_000;
      await client.pexpireat('large', expireAt);
      const before = [
        await computeDigest(client, 'large'),
        await computeDigest(client, 'small'),
        await similar('large'),
      ];
      proxy.lie = lie;
      const id = await stand.plan(
        [
          { name: 'large', type, length: MEMBERS, bytes, expireAt },
          { name: 'small', type, length: 3, bytes: small },
        ],
        { mode },
      );
      await stand.until(await stand.start(id), ['succeeded']);
      expect(await client.exists('large', 'small')).toBe(0);
      if (mode === 'archive') expect(await client.dbsize()).toBe(0);
      await stand.until(await stand.start(id, 'undo'), ['succeeded']);
      expect((await stand.items(id)).map(({ state, reason }) => [state, reason])).toEqual([
        ['undone', null],
        ['undone', null],
      ]);
      expect([
        await computeDigest(client, 'large'),
        await computeDigest(client, 'small'),
        await similar('large'),
      ]).toEqual(before);
      expect(await client.pexpiretime('large')).toBe(expireAt);
      expect((await client.keys('*')).sort()).toEqual(['large', 'small']);
    });

    it('plans a dump, and nothing that reads elements', async () => {
      await seed('key', 10);
      proxy.lie = lie;
      const plan = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, ['key']));
      expect(plan.commands).toContain('DUMP <tombstone>');
      expect(plan.commands.filter((command) => /SCAN|RANGE|one element/.test(command))).toEqual([]);
      expect(plan.totals.byMode.map(({ mode }) => mode)).toEqual(['archive']);
    });
  });

  it('is left out of an archive above the limit, and goes by UNLINK', async () => {
    const bytes = await seed('huge', 7000);
    expect(bytes).toBeGreaterThan(4 * 1024 * 1024);
    expect(await reasons(['huge'])).toMatchObject({ code: 'nothing_to_do', reasons: ['dump_too_large'] });
    const id = await stand.plan([{ name: 'huge', type: 'vectorset', length: 7000, bytes }], { mode: 'unlink' });
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await client.dbsize()).toBe(0);
  });

  it('stays where the plan knew neither type nor size, and it is too large', async () => {
    await seed('huge', 7000);
    const id = await stand.plan([{ name: 'huge', type: null as never, length: null, bytes: null }]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'aborted', reason: { code: 'dump_too_large' } });
    expect(await client.call('VCARD', 'huge')).toBe(7000);
  });

  it('goes and comes back with no more than the printed rights', async () => {
    const bytes = await seed('key', MEMBERS);
    const before = await computeDigest(client, 'key');
    const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? null;
    const rules = buildAclRules('delete', { flavor: 'redis', version }).split(' ');
    await client.call('ACL', 'SETUSER', 'default', 'reset', 'on', 'nopass', '~*', '-@all', ...rules);
    const id = await stand.plan([{ name: 'key', type: 'vectorset', length: MEMBERS, bytes }]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await client.exists('key')).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    await client.call('ACL', 'SETUSER', 'default', '+@all', '&*');
    expect(await computeDigest(client, 'key')).toBe(before);
  });

  const NIL: Lie = { reply: '$-1\r\n', withheld: true };
  const NUMBER: Lie = { reply: ':7\r\n', withheld: true };
  const DENIED: Lie = { reply: "-NOPERM this user has no permissions to run the 'x' command\r\n", withheld: true };

  it.each<[string, string[], Lie]>([
    ['there is nothing to dump', ['DUMP'], NIL],
    ['the dump is a number', ['DUMP'], NUMBER],
    ['no dump is allowed', ['DUMP'], DENIED],
    ['the dump is empty', ['DUMP'], { reply: '$0\r\n\r\n', withheld: true }],
    ['the dump is another', ['DUMP'], { reply: (truth) => Buffer.from(truth).fill(7, 100, 101) }],
    ['it has other members', ['VCARD'], NUMBER],
    ['nothing may be removed', ['UNLINK', 'DEL'], DENIED],
  ])('whoever says that %s loses nothing', async (_what, words, lie) => {
    const bytes = await seed('key', MEMBERS);
    const before = [await computeDigest(client, 'key'), await similar('key')];
    const id = await stand.plan([{ name: 'key', type: 'vectorset', length: MEMBERS, bytes }]);
    proxy.lie = ([command]) => (words.includes(command) ? lie : null);
    await stand.until(await stand.start(id), ['succeeded', 'failed', 'paused']);
    expect((await stand.items(id))[0]?.state).not.toBe('done');
    proxy.lie = null;
    if ((await client.exists('key')) === 0) await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect([await computeDigest(client, 'key'), await similar('key')]).toEqual(before);
    expect(await client.dbsize()).toBe(1);
  });

  it.each<[string, Lie]>([
    ['restores nothing', { reply: '+OK\r\n', withheld: true }],
    ['takes no such dump', { reply: '-ERR DUMP payload version or checksum are wrong\r\n', withheld: true }],
    ['may restore nothing', DENIED],
  ])('a server that %s is asked again later', async (_what, lie) => {
    const bytes = await seed('key', MEMBERS);
    const before = await computeDigest(client, 'key');
    const id = await stand.plan([{ name: 'key', type: 'vectorset', length: MEMBERS, bytes }]);
    await stand.until(await stand.start(id), ['succeeded']);
    proxy.lie = ([command]) => (command === 'RESTORE' ? lie : null);
    await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
    expect((await stand.items(id))[0]?.state).not.toBe('undone');
    expect(await client.exists('key')).toBe(0);
    proxy.lie = null;
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await computeDigest(client, 'key')).toBe(before);
    expect(await client.dbsize()).toBe(1);
  });
});
