import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { toTarget } from '@/test/servers/target';

/** Both callers of `queryKeyFacts` read the same keys with the same rights, so their answers must agree. */
const policy = createDestinationPolicy({ allow: '', registered: [] });
const HOUR_MS = 3_600_000;
let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
  const client = server.client();
  await client.set('shared', '7');
  await client.set('own', '123456');
  await client.rpush('list', 1, 2, 3);
  await client.set('expiring', 'x'.repeat(100), 'PX', HOUR_MS);
});
afterAll(() => server.stop());

async function both(key: string, rights: string) {
  const user = `u${rights.length}`;
  await server.client().call('ACL', 'SETUSER', user, 'reset', 'on', '>pw', '~*', '+@all', ...rights.split(' '));
  const session = await openSession(toTarget(server, { username: user, password: 'pw' }), policy);
  const channel = await openWritingChannel(session, server.address, 0);
  const settled = async <T>(read: Promise<T>) => read.catch((error: Error) => error);
  try {
    const page = await settled(fetchLiveKey(session, { key: Buffer.from(key), db: 0, preview: true }));
    const write = await settled(readKeyFacts(channel, Buffer.from(key)));
    return { page, write };
  } finally {
    channel.close();
    await session.close();
  }
}

it('tells no idle time of an integer that the server shares, to either', async () => {
  const shared = await both('shared', '+ping');
  expect(shared.page).toMatchObject({ encoding: 'int', length: 1, idleSeconds: null });
  expect(shared.write).toMatchObject({ encoding: 'int', length: 1, idleSeconds: null });
  const own = await both('own', '+ping');
  expect(own.page).toMatchObject({ encoding: 'int', idleSeconds: expect.any(Number) });
  expect(own.write).toMatchObject({ encoding: 'int', idleSeconds: expect.any(Number) });
});

it('takes one command for another where one is denied, and unknown for what is left', async () => {
  const noPttl = await both('expiring', '-pttl');
  expect(noPttl.page).toMatchObject({ exists: true, expiryKnown: true });
  expect((noPttl.page as { ttlMs: number }).ttlMs).toBeGreaterThan(HOUR_MS - 60_000);
  expect(noPttl.write).toMatchObject({ expiryKnown: true });
  for (const rights of ['-pttl -pexpiretime', '-memory', '-object', '-llen']) {
    const { page, write } = await both('list', rights);
    const expected = {
      type: 'list',
      expiryKnown: rights !== '-pttl -pexpiretime',
      bytes: rights === '-memory' ? null : expect.any(Number),
      encoding: rights === '-object' ? null : expect.any(String),
      length: rights === '-llen' ? null : 3,
      idleSeconds: rights === '-object' ? null : expect.any(Number),
    };
    expect(page).toMatchObject(expected);
    expect(write).toMatchObject(expected);
  }
});

it('shows a key without a type, but does not write to it', async () => {
  const { page, write } = await both('list', '-type');
  expect(page).toMatchObject({ exists: true, type: null, bytes: expect.any(Number) });
  expect(write).toMatchObject({ kind: 'denied' });
  expect((await both('nothing', '-type')).page).toMatchObject({ exists: false, bytes: null });
  const nothing = await both('list', '-type -pttl -pexpiretime -object -memory');
  expect(nothing.page).toMatchObject({ code: 'redis_no_permission' });
  expect(nothing.write).toMatchObject({ kind: 'denied' });
});
