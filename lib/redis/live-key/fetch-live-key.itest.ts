import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeKey } from '@/lib/model/keys/key-id';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import type { RedisSession } from '@/lib/redis/connection/session';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { bulk, startRogue } from '@/test/servers/rogue';
import { toTarget } from '@/test/servers/target';
import { fetchLiveKey } from './fetch-live-key';
import { keyExists } from './key-exists';

const policy = createDestinationPolicy({ allow: '', registered: [] });

describe('standalone', () => {
  let server: RedisServer;
  let client: Redis;
  let session: RedisSession;
  beforeAll(async () => {
    server = await startRedis({
      acl: [
        'user looker on >pw ~* -@all +type +pttl +object +memory|usage +ping +hello +info +select',
        'user blind on >pw ~* -@all +ping +hello +info +select',
      ],
    });
    client = server.client();
    session = await openSession(toTarget(server), policy);
  });
  afterAll(async () => {
    await session.close();
    await server.stop();
  });
  const read = (key: string | Buffer, preview = true, db = 0) =>
    fetchLiveKey(session, { key: Buffer.from(key as string), db, preview });

  it('tells a key that is not there', async () => {
    expect(await read('nothing')).toMatchObject({
      exists: false,
      type: null,
      bytes: null,
      length: null,
      ttlMs: null,
      expiryKnown: false,
      preview: null,
      name: 'nothing',
    });
  });

  it('reads a string with its expiry, and cuts a long one', async () => {
    await client.set('s', 'hello \u0001', 'PX', 100_000);
    const short = await read('s');
    expect(short).toMatchObject({
      exists: true,
      type: 'string',
      length: 7,
      expiryKnown: true,
      tag: null,
    });
    expect(short.ttlMs).toBeGreaterThan(90_000);
    expect(short.preview).toEqual({
      kind: 'string',
      rows: [['hello \\x01']],
      bytes: [[{ base64: Buffer.from('hello \u0001').toString('base64'), size: 7 }]],
      truncated: false,
      shown: 1,
      total: 7,
    });

    await client.set('long', '用'.repeat(100_000));
    const long = await read('long');
    const text = long.preview?.rows[0]?.[0] as string;
    expect(text).toBe(`${'用'.repeat(1365)}…`);
    expect(long.preview).toMatchObject({ truncated: true, total: 300_000, bytes: [[{ size: 300_000 }]] });
    expect(Buffer.from(long.preview!.bytes[0]![0]!.base64, 'base64')).toHaveLength(4096);
    expect(long).toMatchObject({ ttlMs: null, expiryKnown: true });
  });

  it('hands out the bytes behind every cell, bounded as the cells are', async () => {
    const binary = Buffer.from([0x81, 0xa1, 0x61, 0xff, 0x00]);
    await client.hset('b:hash', 'f', binary);
    await client.zadd('b:zset', 7, binary);
    await client.rpush('b:list', Buffer.alloc(2000, 1), binary);
    await client.xadd('b:stream', '1-0', 'f', binary, 'f', 'twice');
    const base64 = binary.toString('base64');
    expect((await read('b:hash')).preview?.bytes).toEqual([[expect.anything(), { base64, size: 5 }]]);
    expect((await read('b:zset')).preview?.bytes[0]?.[0]).toEqual({ base64, size: 5 });
    const list = (await read('b:list')).preview;
    expect(list?.bytes[0]?.[0]).toEqual({ base64: Buffer.alloc(512, 1).toString('base64'), size: 2000 });
    expect(list?.bytes[1]?.[0]).toEqual({ base64, size: 5 });
    const [entry] = (await read('b:stream')).preview!.bytes;
    expect(entry?.map((part) => Buffer.from(part.base64, 'base64').toString('latin1'))).toEqual([
      '1-0',
      'f',
      binary.toString('latin1'),
      'f',
      'twice',
    ]);
  });

  it('recognises HyperLogLogs by their header, and nothing else by its length', async () => {
    await client.pfadd('hll:sparse', 'a', 'b', 'c');
    for (let i = 0; i < 20_000; i += 1000)
      await client.pfadd('hll:dense', ...Array.from({ length: 1000 }, (_, n) => `m${i + n}`));
    await client.set('as long', 'x'.repeat(12_304));
    expect((await read('hll:sparse')).preview).toMatchObject({ kind: 'string', hyperloglog: 'sparse' });
    expect(await read('hll:dense')).toMatchObject({ length: 12_304, preview: { hyperloglog: 'dense' } });
    expect((await read('as long')).preview).not.toHaveProperty('hyperloglog');
  });

  it('shows at most 50 rows of small and of large collections of every type', async () => {
    const fields = (n: number) => Array.from({ length: n }, (_, i) => [`f${i}`, `v${i}`]).flat();
    const members = (n: number) => Array.from({ length: n }, (_, i) => `m${i}`);
    const scored = (n: number) => Array.from({ length: n }, (_, i) => [String(i / 2), `m${i}`]).flat();
    for (const n of [3, 100, 5000]) {
      await client.del('h', 'st', 'l', 'z', 'x');
      await client.hset('h', ...fields(n));
      await client.sadd('st', ...members(n));
      await client.rpush('l', ...members(n));
      await client.zadd('z', ...scored(n));
      for (let i = 0; i < n; i++) client.xadd('x', `${i + 1}-0`, 'a', String(i), '__proto__', 'p');
      for (const [key, kind] of Object.entries({ h: 'pairs', st: 'items', l: 'items', z: 'scored', x: 'entries' })) {
        const { preview, length } = await read(key);
        expect(length).toBe(n);
        expect(preview).toMatchObject({ kind, total: n, shown: Math.min(n, 50), truncated: n > 50 });
        expect(preview?.rows.length).toBe(Math.min(n, 50));
      }
      expect((await read('z')).preview?.rows[1]).toEqual(['m1', '0.5']);
      expect((await read('l')).preview?.rows[0]).toEqual(['m0']);
      expect((await read('x')).preview?.rows[0]).toEqual(['1-0', '{"a":"0","__proto__":"p"}']);
      const [field, value] = (await read('h')).preview?.rows[0] ?? [];
      expect(value).toBe(`v${field?.slice(1)}`);
    }
  });

  it('reads few of many large elements, and refuses a compact value that would come whole', async () => {
    for (let i = 0; i < 40; i++) await client.hset('fat', `f${i}`, 'x'.repeat(300_000));
    const before = Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]);
    const { preview } = await read('fat');
    const sent = Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]) - before;
    expect(preview).toMatchObject({ kind: 'pairs', truncated: true, total: 40 });
    expect(preview?.rows[0]?.[1]).toBe(`${'x'.repeat(512)}…`);
    expect(sent).toBeLessThan(4 * 1024 * 1024);

    await client.config('SET', 'set-max-intset-entries', '1000000');
    for (let from = 0; from < 200_000; from += 10_000) {
      await client.sadd('packed', ...Array.from({ length: 10_000 }, (_, i) => String(2 ** 40 + from + i)));
    }
    expect(await client.object('ENCODING', 'packed')).toBe('intset');
    expect(await read('packed')).toMatchObject({ length: 200_000, preview: null, previewProblem: 'too_large' });
  });

  it('leaves idle time alone unless a preview is asked for', async () => {
    await client.hset('idle', 'a', '1');
    const dump = await client.dumpBuffer('idle');
    await client.call('RESTORE', 'idle', '0', dump!, 'REPLACE', 'IDLETIME', '60');
    const facts = await read('idle', false);
    expect(facts.idleSeconds).toBeGreaterThanOrEqual(2);
    expect(facts).toMatchObject({ preview: null, length: null, previewTouches: true });
    expect(await client.object('IDLETIME', 'idle')).toBeGreaterThanOrEqual(2);
    await read('idle', true);
    // The idle time may reach one second in between.
    expect(await client.object('IDLETIME', 'idle')).toBeLessThan(2);
  });

  it('reads frequencies where the policy keeps them', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    await client.set('hot', 'v');
    expect(await read('hot', false)).toMatchObject({ idleSeconds: null, freq: expect.any(Number) });
    await client.config('SET', 'maxmemory-policy', 'noeviction');
  });

  it('addresses names by their bytes, in the database asked for', async () => {
    const names = [[], [0], [0xff, 0xfe], [13, 10], [0xed, 0xa0, 0x80]].map((bytes) => Buffer.from(bytes));
    const other = server.client({ db: 5 });
    for (const [i, name] of names.entries()) await other.set(name, `value ${i}`);
    for (const [i, name] of names.entries()) {
      const found = await read(name, true, 5);
      expect(found).toMatchObject({ exists: true, db: 5, nameBytes: name.length });
      expect(found.preview?.rows).toEqual([[`value ${i}`]]);
      expect(decodeKey(found.k).equals(name)).toBe(true);
      expect((await read(name, false, 0)).exists).toBe(false);
    }
    await expect(read('x', false, 99)).rejects.toMatchObject({ code: 'redis_no_database' });
  });

  it('shows facts to a user who may not read values, and says why there is no preview', async () => {
    await client.set('secret', 'v'.repeat(50));
    const limited = await openSession(toTarget(server, { username: 'looker', password: 'pw' }), policy);
    const found = await fetchLiveKey(limited, { key: Buffer.from('secret'), db: 0, preview: true });
    expect(found).toMatchObject({
      exists: true,
      type: 'string',
      length: null,
      preview: null,
      previewProblem: 'denied',
    });
    expect(found.bytes).toBeGreaterThan(50);
    await limited.close();
  });

  it('tells whether a name is taken, and null where it may not ask', async () => {
    await client.set('taken', 'x');
    const exists = (key: string, db = 0) => keyExists(session, Buffer.from(key), db);
    expect([await exists('taken'), await exists('free'), await exists('taken', 1)]).toEqual([true, false, false]);
    const blind = await openSession(toTarget(server, { username: 'blind', password: 'pw' }), policy);
    expect(await keyExists(blind, Buffer.from('taken'), 0)).toBeNull();
    await blind.close();
  });
});

describe('cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster({ masters: 3 });
  });
  afterAll(() => cluster.stop());

  it('asks the node that owns the slot, also after the slot has moved', async () => {
    const client = cluster.client();
    await Promise.all(['a', 'b', 'c', 'tagged:{a}'].map((name) => client.set(name, `value of ${name}`)));
    const session = await openSession(toTarget(cluster.nodes, { topology: 'cluster' }), policy);
    for (const name of ['a', 'b', 'c', 'tagged:{a}']) {
      const found = await fetchLiveKey(session, { key: Buffer.from(name), db: 0, preview: true });
      expect(found.preview?.rows).toEqual([[`value of ${name}`]]);
      expect(found.slot).toBe(await client.cluster('KEYSLOT', name));
      expect(found.tag).toBe(name.includes('{') ? 'a' : null);
    }
    const before = await fetchLiveKey(session, { key: Buffer.from('a'), db: 0, preview: false });
    const from = cluster.masters.find((node) => node.address === before.address) as RedisServer;
    const to = cluster.masters.find((node) => node !== from) as RedisServer;
    await cluster.moveSlots(from, to, [before.slot]);
    const after = await fetchLiveKey(session, { key: Buffer.from('a'), db: 0, preview: true });
    expect(after.address).toBe(to.address);
    expect(after.preview?.rows).toEqual([['value of a']]);
    await session.close();
  });
});

it.each([
  ['stream', 'an entry', '*2\r\n$3\r\n1-y\r\n*0\r\n'],
  ['stream', 'an entry', '*2\r\n$0\r\n\r\n*0\r\n'],
  ['array', 'an element', '*2\r\n$2\r\n-7\r\n$1\r\na\r\n'],
])('refuses a %s of a server that sends %s without a valid id', async (type, _, element) => {
  const replies: Record<string, string> = {
    PING: '+PONG\r\n',
    SELECT: '+OK\r\n',
    INFO: bulk('redis_version:7.2.0\r\nredis_mode:standalone\r\nrole:master\r\n'),
    TYPE: `+${type}\r\n`,
    PTTL: ':-1\r\n',
    XLEN: ':9\r\n',
    XRANGE: `*1\r\n${element}`,
    ARSCAN: `*1\r\n${element}`,
  };
  const rogue = await startRogue(([name = '']) => replies[name] ?? '-ERR unknown command\r\n');
  const target = toTarget({ host: rogue.host, port: rogue.port, password: undefined, certificates: undefined });
  const session = await openSession(target, policy);
  try {
    const reading = fetchLiveKey(session, { key: Buffer.from('k'), db: 0, preview: true });
    await expect(reading).rejects.toMatchObject({ code: 'redis_protocol' });
  } finally {
    await session.close();
    await rogue.stop();
  }
});
