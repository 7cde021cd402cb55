import { afterEach, describe, expect, it } from 'vitest';
import { computeSlot } from '@/lib/redis/keys/slot';
import { startFaultProxy } from '@/test/deletions/faults/fault-proxy';
import { startCluster } from '@/test/servers/cluster';
import { startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { sessionTo } from '@/test/servers/scan-session';
import { WriteFailure } from './write-failure';
import { openWritingChannel } from './writing-channel';

const open: { stop(): Promise<void> }[] = [];
const started = <T extends { stop(): Promise<void> }>(server: T): T => {
  open.unshift(server);
  return server;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function channelTo(
  server: { host: string; port: number },
  settings: Parameters<typeof sessionTo>[1] & { db?: number; replyMs?: number } = {},
) {
  const { db = 0, replyMs, ...rest } = settings;
  const session = await sessionTo(server, rest);
  const channel = await openWritingChannel(
    session,
    `${server.host}:${server.port}`,
    db,
    replyMs === undefined ? {} : { replyMs },
  );
  started({
    stop: async () => {
      channel.close();
      await session.close();
    },
  });
  return channel;
}

describe('a connection that writes', () => {
  it('goes to its database, gives bytes and numbers as they are, and counts what it sent', async () => {
    const server = started(await startRedis());
    const channel = await channelTo(server, { db: 3 });
    const name = Buffer.from([0, 0xff, 0x0d, 0x0a]);
    await channel.call(['SET', name, Buffer.from([0xfe])]);
    const before = channel.stats.commands;
    expect(await channel.call(['GET', name])).toEqual(Buffer.from([0xfe]));
    expect(await channel.callAll([['STRLEN', name], ['NOSUCH'], ['EXISTS', name]])).toEqual([
      1,
      expect.objectContaining({ kind: 'denied' }),
      1,
    ]);
    expect(channel.stats.commands - before).toBe(4);
    expect(channel.stats.lastMs).toBeGreaterThan(0);
    expect(channel.stats.worstMs).toBeGreaterThanOrEqual(channel.stats.lastMs);
    expect(await server.client({ db: 3 }).exists(name)).toBe(1);
    // With RESP2 a score is text, as the server prints it, and not a number that lost digits.
    await channel.call(['ZADD', 'z', '5e-324', 'm']);
    const score = await channel.call(['ZSCORE', 'z', 'm']);
    expect([Buffer.isBuffer(score), Number(String(score))]).toEqual([true, 5e-324]);
  });

  it('tells of each refusal what may be done next', async () => {
    const server = started(
      await startRedis({ renamed: { PERSIST: '' }, acl: ['user few on >few ~app:* +@all -unlink'] }),
    );
    const all = await channelTo(server);
    const few = await channelTo(server, { username: 'few', password: 'few' });
    const findKind = (sent: Promise<unknown>) => sent.then(() => 'done').catch((error: WriteFailure) => error.kind);
    await all.call(['SET', 'app:s', 'x']);
    expect(await findKind(all.call(['HDEL', 'app:s', 'f']))).toBe('wrong_type');
    expect(await findKind(all.call(['PERSIST', 'app:s']))).toBe('denied');
    expect(await findKind(all.call(['EVAL', "return redis.call('PERSIST', KEYS[1])", '1', 'app:s']))).toBe('denied');
    expect(await findKind(few.call(['UNLINK', 'app:s']))).toBe('denied');
    expect(await findKind(few.call(['EVAL', "return redis.call('UNLINK', KEYS[1])", '1', 'app:s']))).toBe('denied');
    expect(await findKind(few.call(['SET', 'other', 'x']))).toBe('denied');
    await server.client().config('SET', 'maxmemory', '1');
    expect(await findKind(all.call(['SET', 'app:t', 'x']))).toBe('out_of_memory');
    expect(await findKind(all.call(['UNLINK', 'app:s']))).toBe('done');
  });

  it('says that a replica is none to write to, and that a slot is elsewhere', async () => {
    const master = started(await startRedis());
    const replica = started(await startReplica(master));
    await expect((await channelTo(replica)).call(['SET', 'a', 'b'])).rejects.toMatchObject({ kind: 'not_master' });
    const cluster = started(await startCluster({ masters: 3 }));
    const channel = await channelTo(cluster.masters[0]!, { topology: 'cluster' });
    const far = Array.from({ length: 100 }, (_, i) => `k${i}`).find((name) => computeSlot(Buffer.from(name)) > 12_000)!;
    await expect(channel.call(['SET', far, 'b'])).rejects.toMatchObject({ kind: 'moved', code: 'MOVED' });
  });

  it('sends nothing twice: after a lost reply it is dead, and the command was carried out once', async () => {
    const server = started(await startRedis());
    const proxy = started(await startFaultProxy(server.port));
    const channel = await channelTo({ host: '127.0.0.1', port: proxy.port });
    const struck = proxy.strike({ word: 'INCR', act: 'swallow' });
    const failure = await channel.call(['INCR', 'n']).catch((error) => error);
    await struck;
    expect(failure instanceof WriteFailure).toBe(true);
    expect(failure.kind).toBe('unknown_outcome');
    await expect(channel.call(['INCR', 'n'])).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await expect(channel.callAll([['INCR', 'n']])).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect(await server.client().get('n')).toBe('1');
  });

  it('waits for a reply no longer than it was told', async () => {
    const server = started(await startRedis());
    const channel = await channelTo(server, { replyMs: 300 });
    await server.kill('SIGSTOP');
    const failure = await channel.call(['SET', 'a', 'b']).catch((error) => error);
    await server.kill('SIGCONT');
    expect(failure).toMatchObject({ kind: 'unknown_outcome', code: 'redis_timeout' });
  });

  it('takes a reply of one large element, and none above 64 MiB', async () => {
    const server = started(await startRedis());
    const channel = await channelTo(server);
    const mib = 1024 * 1024;
    await server.client().setrange('fits', 63 * mib, 'x');
    await server.client().setrange('large', 64 * mib, 'x');
    // Returns only the length or a word: a failed comparison of such large values would print them.
    const reported = (key: string) =>
      channel.call(['GET', key]).then(
        (reply) => (reply as Buffer).length,
        (error: WriteFailure) => error.kind,
      );
    expect(await reported('fits')).toBe(63 * mib + 1);
    expect(await reported('large')).toBe('unknown_outcome');
  });
});
