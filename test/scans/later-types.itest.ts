import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAclRules } from '@/lib/model/servers/acl-users';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { probeCapabilities } from '@/lib/redis/server/capabilities';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { type Liar, type LyingProxy, startLyingProxy } from '../servers/lying-proxy';
import { type RedisServer, startRedis } from '../servers/redis';
import { toTarget } from '../servers/target';
import { serverVersions, withVectorSets } from '../servers/versions';
import { scanWhole } from './scan';

/** Types that are newer than streams: they are counted, are bigkeys by their elements, and are shown in part. */
const MANY = 5001;
const policy = createDestinationPolicy({ allow: '', registered: [] });

async function findBigkeys(server: Pick<RedisServer, 'host' | 'port'>, options: Parameters<typeof scanWhole>[1] = {}) {
  const { dir, manifest, rows } = await scanWhole([server as RedisServer], options);
  const { report } = await runReport({ dir, manifest }, 'bigkeys', {});
  return { rows, bigkeys: report.rows.map(({ name, length, over }) => [name, length, over.includes('elements')]) };
}

async function liveKey(server: Pick<RedisServer, 'host' | 'port'>, key: string) {
  const session = await openSession(toTarget(server as RedisServer), policy);
  try {
    return await fetchLiveKey(session, { key: Buffer.from(key), db: 0, preview: true });
  } finally {
    await session.close();
  }
}

it('what comes with a server and has no unknown type is no module to warn of', async () => {
  const shipped = new Set<string>();
  for (const { binary } of serverVersions(800)) {
    const server = await startRedis({ binary });
    const session = await openSession(toTarget(server), policy);
    const { modules, warnings } = await readConnectionReport(session);
    for (const name of modules ?? []) shipped.add(name);
    const warned = warnings.filter(({ code }) => code === 'modules').map(({ params }) => String(params.modules));
    expect(warned.join()).not.toMatch(/vectorset|lua/);
    await session.close();
    await server.stop();
  }
  if (vectors) expect([...shipped]).toContain('vectorset');
});

const vectors = withVectorSets();
describe.skipIf(!vectors)('vector sets', () => {
  let redis: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    redis = await startRedis({ binary: vectors?.binary ?? '' });
    client = redis.client();
    for (let from = 0; from < MANY; from += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, MANY - from) }, (_, i) =>
          client.call('VADD', 'vs:big', 'VALUES', '2', String(Math.sin(from + i)), String(from + i), `m${from + i}`),
        ),
      );
    for (const member of ['a', 'b', '\xff'])
      await client.call('VADD', 'vs:small', 'VALUES', '2', '1', '2', Buffer.from(member, 'latin1'));
  });
  afterAll(() => redis.stop());

  it('are counted, and many elements make a bigkey', async () => {
    const { rows, bigkeys } = await findBigkeys(redis);
    expect(rows.map(({ name, type, length }) => [name, type, length]).sort()).toEqual([
      ['vs:big', 'vectorset', MANY],
      ['vs:small', 'vectorset', 3],
    ]);
    expect(bigkeys).toEqual([['vs:big', MANY, true]]);
  });

  it('are counted by the printed user', async () => {
    const session = await openSession(toTarget(redis), policy);
    const rules = buildAclRules('scan', await readConnectionReport(session));
    await session.close();
    await client.call('ACL', 'SETUSER', 'scans', 'reset', 'on', '>secret', '~*', '-@all', ...rules.split(' '));
    const { rows } = await findBigkeys(redis, { input: { username: 'scans', secrets: { password: 'secret' } } });
    expect(rows.map(({ length }) => length).sort()).toEqual([3, MANY]);
    const limited = await openSession(toTarget(redis, { username: 'scans', password: 'secret' }), policy);
    const { list } = await probeCapabilities(limited, redis.address);
    await limited.close();
    expect(list.filter(({ status }) => status !== 'allowed')).toEqual([]);
    expect(list.map(({ command }) => command)).toContain('VCARD');
    expect(list.map(({ command }) => command)).not.toContain('ARCOUNT');
  });

  it('show some members, each once, and never a vector', async () => {
    const small = await liveKey(redis, 'vs:small');
    expect(small).toMatchObject({
      type: 'vectorset',
      length: 3,
      preview: { kind: 'items', total: 3, truncated: false },
    });
    expect(small.preview?.rows.flat().sort()).toEqual(['\\xff', 'a', 'b']);
    const { preview } = await liveKey(redis, 'vs:big');
    expect(preview).toMatchObject({ kind: 'items', total: MANY, shown: 50, truncated: true });
    expect(new Set(preview?.rows.flat()).size).toBe(50);
  });
});

/**
 * No server with arrays is available, so another server's stream is presented with the replies that the documentation
 * describes for arrays.
 */
describe('arrays', () => {
  const ELEMENTS: [string, string][] = [
    ['0', 'first'],
    ['18446744073709551614', 'last'],
  ];
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
  const asArray: Liar = ([command, key], words) => {
    if (key !== 'AR:BIG') return null;
    if (command === 'TYPE') return { reply: '+array\r\n' };
    if (command === 'ARCOUNT') return { reply: `:${MANY}\r\n` };
    if (command !== 'ARSCAN') return null;
    const [, , from = '', to = '', limit, max] = words;
    expect([to, limit]).toEqual(['18446744073709551614', 'LIMIT']);
    const found = ELEMENTS.filter(([at]) => BigInt(at) >= BigInt(from)).slice(0, Number(max));
    return { reply: `*${found.length}\r\n${found.map(([at, value]) => `*2\r\n:${at}\r\n${bulk(value)}`).join('')}` };
  };
  const hasArrays: Liar = (words, all) =>
    words[0] === 'ARCOUNT' && words[1] !== 'AR:BIG' ? { reply: ':0\r\n' } : asArray(words, all);
  let redis: RedisServer;
  let proxy: LyingProxy;
  beforeAll(async () => {
    redis = await startRedis();
    proxy = await startLyingProxy(redis.port);
    const client = redis.client();
    await client.xadd('ar:big', '1-0', 'f', 'x'.repeat(20_000));
    await client.set('other', 'x');
  });
  afterAll(async () => {
    await proxy.stop();
    await redis.stop();
  });

  it('are counted by their elements, not by their highest index', async () => {
    proxy.lie = hasArrays;
    const { rows, bigkeys } = await findBigkeys(proxy);
    expect(rows.find(({ name }) => name === 'ar:big')).toMatchObject({ type: 'array', length: MANY });
    expect(bigkeys).toEqual([['ar:big', MANY, true]]);
  });

  it('show elements with their indexes, whatever lies between', async () => {
    proxy.lie = hasArrays;
    const { preview } = await liveKey(proxy, 'ar:big');
    expect(preview).toMatchObject({ kind: 'indexed', rows: ELEMENTS, total: MANY });
  });
});
