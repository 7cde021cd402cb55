import { afterEach, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { sessionTo } from '@/test/servers/scan-session';
import { readFactsOfKeys, readKeyFacts } from './read-key-facts';
import type { WritingChannel } from './types';
import { openWritingChannel } from './writing-channel';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.reverse()) await one();
  close = [];
});
async function start(options: Parameters<typeof startRedis>[0] = {}): Promise<[RedisServer, WritingChannel]> {
  const server = await startRedis(options);
  close.push(() => server.stop());
  return [server, await channelTo(server)];
}
async function channelTo(server: RedisServer, settings: Parameters<typeof sessionTo>[1] = {}) {
  const session = await sessionTo(server, settings);
  const channel = await openWritingChannel(session, server.address, 0);
  close.push(async () => {
    channel.close();
    await session.close();
  });
  return channel;
}

it('tells the facts of each type, of many keys at once, in the order they were asked', async () => {
  const [server, channel] = await start();
  const client = server.client();
  const expireAt = Date.now() + 3_600_000;
  await client.set('s', 'x'.repeat(100), 'PXAT', expireAt);
  await client.rpush('l', 1, 2, 3);
  await client.sadd('t', 'a', 'b');
  await client.zadd('z', 1, 'a');
  await client.hset('h', 'f', 'v'.repeat(100));
  await client.xadd('x', '1-1', 'f', 'v');
  const names = ['s', 'l', 'none', 't', 'z', 'h', 'x'].map((name) => Buffer.from(name));
  const looks = await readFactsOfKeys(channel, names);
  expect(looks.map(({ type, encoding, length }) => [type, encoding, length])).toEqual([
    ['string', 'raw', 100],
    ['list', 'quicklist', 3],
    [null, null, null],
    ['set', 'hashtable', 2],
    ['zset', 'listpack', 1],
    ['hash', 'hashtable', 1],
    ['stream', 'stream', 1],
  ]);
  expect(looks.map((look) => look.expireAt)).toEqual([expireAt, null, null, null, null, null, null]);
  expect(looks[0]).toMatchObject({ expiryKnown: true, bytes: await client.memory('USAGE', 's') });
  expect(looks[2]).toEqual({
    at: expect.any(Number),
    type: null,
    encoding: null,
    length: null,
    bytes: null,
    expireAt: null,
    expiryKnown: true,
    idleSeconds: null,
  });
  expect(await readFactsOfKeys(channel, [])).toEqual([]);
});

it('tells how long a key was not used, because it asks for that before it counts', async () => {
  const [server, channel] = await start();
  const client = server.client();
  await client.rpush('l', 1);
  const dump = await client.dumpBuffer('l');
  await client.call('RESTORE', 'l', '0', dump!, 'REPLACE', 'IDLETIME', '60');
  expect((await readKeyFacts(channel, Buffer.from('l'))).idleSeconds).toBeGreaterThanOrEqual(2);
  // Counting has reset the idle time, which may reach one second in between.
  expect((await readKeyFacts(channel, Buffer.from('l'))).idleSeconds).toBeLessThan(2);
});

it('sees an expired key as gone, whether or not the server has removed it', async () => {
  const [server, channel] = await start({ args: ['--enable-debug-command', 'yes'] });
  const client = server.client();
  await client.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0');
  await client.set('soon', 'x', 'PX', 5);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect((await readKeyFacts(channel, Buffer.from('soon'))).type).toBeNull();
});

it('says of what it may not ask that it is unknown, and never that it is nothing', async () => {
  const [server] = await start({ acl: ['user few on >few ~* +@all -memory -object -pexpiretime -llen'] });
  const expireAt = Date.now() + 60_000;
  await server.client().rpush('l', 1, 2);
  await server.client().pexpireat('l', expireAt);
  const few = await channelTo(server, { username: 'few', password: 'few' });
  const look = await readKeyFacts(few, Buffer.from('l'));
  expect(look).toMatchObject({ type: 'list', encoding: null, bytes: null, length: null, idleSeconds: null });
  expect(look.expiryKnown).toBe(true);
  expect(Math.abs((look.expireAt ?? 0) - expireAt)).toBeLessThan(500);
  await server.client().call('ACL', 'SETUSER', 'few', '-pttl');
  expect(await readKeyFacts(few, Buffer.from('l'))).toMatchObject({ type: 'list', expireAt: null, expiryKnown: false });
  await server.client().call('ACL', 'SETUSER', 'few', '-type');
  await expect(readKeyFacts(few, Buffer.from('l'))).rejects.toMatchObject({ kind: 'denied' });
});
