import { afterEach, describe, expect, it } from 'vitest';
import { type ServerOptions, startRedis } from '@/test/servers/redis';
import { sessionTo } from '@/test/servers/scan-session';
import { setExpiries } from './set-expiry';
import { SCRIPT_DENIED } from './write-failure';
import { openWritingChannel } from './writing-channel';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const key = (name: string) => Buffer.from(name);
const HOUR = 3_600_000;

describe.each([
  ['as it is', {}],
  ['with PEXPIRETIME unknown', { renamed: { PEXPIRETIME: '' } }],
] as [string, ServerOptions][])('expiries on a server %s', (_, options) => {
  async function start() {
    const server = await startRedis(options);
    closing.push(() => server.stop());
    const session = await sessionTo(server);
    const channel = await openWritingChannel(session, server.address, 0);
    closing.push(async () => {
      channel.close();
      await session.close();
    });
    const client = server.client();
    const readExpireAt = async (name: string) => {
      const ttl = await client.pttl(name);
      return ttl < 0 ? ttl : Date.now() + ttl;
    };
    return { client, channel, readExpireAt };
  }
  const near = (ms: number) => expect.closeTo(ms, -3);

  it('sets one where none is, replaces the one that was seen, and no other', async () => {
    const { client, channel, readExpireAt } = await start();
    const seen = Date.now() + HOUR;
    const theirs = Date.now() + 2 * HOUR;
    const ours = Date.now() + 5 * HOUR;
    await client.set('none', 'x');
    await client.set('seen', 'x', 'PXAT', seen);
    await client.set('got one', 'x', 'PXAT', theirs);
    await client.set('changed', 'x', 'PXAT', theirs);
    await client.set('lost it', 'x');
    const outcomes = await setExpiries(channel, [
      { name: key('none'), expireAt: ours, expected: null },
      { name: key('seen'), expireAt: ours, expected: seen },
      { name: key('got one'), expireAt: ours, expected: null },
      { name: key('changed'), expireAt: ours, expected: seen },
      { name: key('lost it'), expireAt: ours, expected: seen },
      { name: key('gone'), expireAt: ours, expected: null },
    ]);
    expect(outcomes).toEqual(['set', 'set', 'had_one', 'changed', 'changed', 'vanished']);
    const names = ['none', 'seen', 'got one', 'changed', 'lost it', 'gone'];
    expect(await Promise.all(names.map(readExpireAt))).toEqual([
      near(ours),
      near(ours),
      near(theirs),
      near(theirs),
      -1,
      -2,
    ]);
  });

  it('gives back what was before, where ours is still there', async () => {
    const { client, channel, readExpireAt } = await start();
    const ours = Date.now() + 5 * HOUR;
    const previous = Date.now() + HOUR;
    const theirs = Date.now() + 2 * HOUR;
    for (const name of ['had none', 'had one']) await client.set(name, 'x', 'PXAT', ours);
    await client.set('changed since', 'x', 'PXAT', theirs);
    await client.set('persisted since', 'x');
    const outcomes = await setExpiries(channel, [
      { name: key('had none'), expected: ours, expireAt: null },
      { name: key('had one'), expected: ours, expireAt: previous },
      { name: key('changed since'), expected: ours, expireAt: previous },
      { name: key('persisted since'), expected: ours, expireAt: previous },
      { name: key('gone'), expected: ours, expireAt: previous },
    ]);
    expect(outcomes).toEqual(['set', 'set', 'changed', 'changed', 'vanished']);
    expect(await Promise.all(['had none', 'had one', 'changed since', 'persisted since'].map(readExpireAt))).toEqual([
      -1,
      near(previous),
      near(theirs),
      -1,
    ]);
  });

  it('never removes a key: an expiry of the past is not given back', async () => {
    const { client, channel, readExpireAt } = await start();
    const ours = Date.now() + HOUR;
    await client.set('k', 'x', 'PXAT', ours);
    expect(await setExpiries(channel, [{ name: key('k'), expected: ours, expireAt: Date.now() - 1000 }])).toEqual([
      'past',
    ]);
    expect(await setExpiries(channel, [{ name: key('k'), expireAt: 1, expected: ours }])).toEqual(['past']);
    expect(await readExpireAt('k')).toEqual(near(ours));
  });

  it('many at once, each answer beside its key', async () => {
    const { client, channel } = await start();
    const names = Array.from({ length: 300 }, (_, i) => `k${i}`);
    for (const [i, name] of names.entries()) if (i % 3 !== 0) await client.set(name, 'x');
    const at = Date.now() + HOUR;
    const outcomes = await setExpiries(
      channel,
      names.map((name, i) => ({ name: key(name), expireAt: at + i, expected: null })),
    );
    expect(outcomes).toEqual(names.map((_, i) => (i % 3 === 0 ? 'vanished' : 'set')));
  });
});

it('where scripts are denied, the failure says so, and the key keeps its expiry', async () => {
  const server = await startRedis({ acl: ['user noscript on >x ~* +@all -eval'] });
  closing.push(() => server.stop());
  const session = await sessionTo(server, { username: 'noscript', password: 'x' });
  const channel = await openWritingChannel(session, server.address, 0);
  closing.push(async () => {
    channel.close();
    await session.close();
  });
  await server.client().set('k', 'x');
  const wish = { name: key('k'), expireAt: Date.now() + HOUR, expected: null };
  await expect(setExpiries(channel, [wish])).rejects.toMatchObject({ kind: 'denied', code: SCRIPT_DENIED });
  expect(await server.client().pttl('k')).toBe(-1);
});
