import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { DELETE_COMMANDS } from '../../lib/model/acl-users';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { getStoredJob } from '../../lib/store/jobs';
import { type RedisCluster, startCluster } from '../servers/cluster';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { startFaultProxy } from './fault-proxy';
import { type LargeType, seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/**
 * The failure table, cell by cell: whatever happens in the middle, the key comes back as it was, what others write stays,
 * and no other key is touched. LONG=1 runs the many kills.
 */
const LONG = process.env.LONG === '1';
const N = 40_000;
const TYPES: LargeType[] = ['hash', 'set', 'zset', 'list', 'stream', 'string'];
const READ: Record<LargeType, string> = {
  hash: 'HSCAN',
  set: 'SSCAN',
  zset: 'ZRANGE',
  list: 'LRANGE',
  stream: 'XRANGE',
  string: 'GETRANGE',
};
const REMOVE: Partial<Record<LargeType, string>> = {
  hash: 'HDEL',
  set: 'SREM',
  zset: 'ZREMRANGEBYRANK',
  list: 'LTRIM',
  stream: 'XTRIM',
};
const BUILD: Record<LargeType, string> = {
  hash: 'HSET',
  set: 'SADD',
  zset: 'ZADD',
  list: 'RPUSH',
  stream: 'XADD',
  string: 'SETRANGE',
};

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let stand: Stand | null = null;
const after: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client();
});
afterEach(async () => {
  await stand?.close();
  stand = null;
  for (const act of after.splice(0).reverse()) await act();
  await redis.stop();
  await data.remove();
});

const digestOf = async (name: string, on = client) => ((await on.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];

/** A large key with an expiry and a neighbour; afterwards both must be what they were. */
async function seedKey(type: LargeType, n = N) {
  const name = `big:${type}`;
  await seedLarge(client, type, name, n);
  await client.set('big:neighbour', 'stays');
  const expireAt = Date.now() + 7_200_000;
  await client.pexpireat(name, expireAt);
  const digest = await digestOf(name);
  return {
    name,
    key: { name, type, length: n, bytes: 5_000_000 },
    async expectBack() {
      expect(await digestOf(name)).toBe(digest);
      expect(await client.pexpiretime(name)).toBe(expireAt);
      expect((await client.keys('*')).sort()).toEqual(['big:neighbour', name].sort());
    },
    async expectGone() {
      expect((await client.keys('*')).sort()).toEqual(['big:neighbour']);
    },
  };
}

const removedSome = async (open: Stand, id: string) => {
  for (;;) {
    const [item] = await open.items(id);
    if ((item?.removed ?? 0) > 0 || item?.state === 'done') return item;
    await sleep(3);
  }
};

describe('a reply that never comes', () => {
  it.each(TYPES)('%s: rename, read, remove, free and rebuild are done again without harm', async (type) => {
    const proxy = await startFaultProxy(redis.port);
    after.push(() => proxy.stop());
    const seeded = await seedKey(type, type === 'string' ? 3_000_000 : 8_000);
    stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
    for (const word of ['EVAL', READ[type], REMOVE[type], 'UNLINK']) {
      if (!word) continue;
      proxy.swallowReplyTo(word);
      const before = proxy.swallowed();
      const id = await stand.plan([seeded.key]);
      await stand.until(await stand.start(id), ['succeeded'], 30_000);
      expect([word, proxy.swallowed()]).toEqual([word, before + 1]);
      await seeded.expectGone();
      expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
      for (const undoWord of word === 'EVAL' ? [BUILD[type], 'RENAMENX'] : []) proxy.swallowReplyTo(undoWord);
      await stand.until(await stand.start(id, 'undo'), ['succeeded'], 30_000);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
      await seeded.expectBack();
    }
  });
});

/** Carries a job out in processes that are killed at random moments, the last one excepted. */
function killer(kills: number) {
  const children: ChildProcess[] = [];
  after.push(async () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const worker = async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/deletions/deletion-worker.ts'], {
      env: { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child;
  };
  return async (jobId: string, done: string[]) => {
    for (let killed = 0; ; ) {
      const child = await worker();
      const end = Date.now() + (killed < kills ? 60 + Math.random() * 500 : 60_000);
      for (;;) {
        const state = (await getStoredJob(jobId))?.job.state ?? '';
        if (done.includes(state)) return child.kill('SIGKILL');
        expect(['failed', 'cancelled', 'paused']).not.toContain(state);
        if (Date.now() > end) break;
        await sleep(10);
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
      killed++;
    }
  };
}

describe('a killed process', () => {
  const kills = LONG ? 20 : 2;
  it.each(TYPES)(
    `%s: ${kills} kills while it goes and while it comes back`,
    async (type) => {
      const seeded = await seedKey(type, type === 'string' ? 12_000_000 : N * (LONG ? 4 : 1));
      stand = await openStand(redis, {}, false);
      const throughKills = killer(kills);
      const id = await stand.plan([seeded.key], { speed: 'gentle' });
      await throughKills(await stand.start(id), ['succeeded']);
      await seeded.expectGone();
      await throughKills(await stand.start(id, 'undo'), ['succeeded']);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
      await seeded.expectBack();
    },
    600_000,
  );
});

describe('a killed process with many small keys', () => {
  it('each is removed once, each comes back', async () => {
    const pipeline = client.pipeline();
    const keys = Array.from({ length: 3000 }, (_, i) => ({
      name: `small:${i}`,
      type: i % 2 ? 'hash' : 'string',
      bytes: 90,
    }));
    for (const [i, key] of keys.entries()) {
      if (i % 2) pipeline.hset(key.name, { a: i, b: 'x' });
      else pipeline.set(key.name, `value ${i}`, 'PX', 7_200_000 + i);
    }
    await pipeline.exec();
    const before = await client.call('DEBUG', 'DIGEST');
    stand = await openStand(redis, {}, false);
    const throughKills = killer(LONG ? 20 : 4);
    const id = await stand.plan(keys, { speed: 'gentle' });
    await throughKills(await stand.start(id), ['succeeded']);
    expect(await client.dbsize()).toBe(0);
    const states = new Set((await stand.items(id)).map((item) => item.state));
    expect([...states]).toEqual(['done']);
    await throughKills(await stand.start(id, 'undo'), ['succeeded']);
    expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
  }, 600_000);
});

describe('a server that ends', () => {
  it.each(LONG ? TYPES : (['hash', 'list'] as LargeType[]))(
    '%s: killed with its append-only file, and back',
    async (type) => {
      const kills = LONG ? 4 : 1;
      await redis.stop();
      redis = await startRedis({
        args: ['--enable-debug-command', 'yes', '--appendonly', 'yes', '--appendfsync', 'always'],
      });
      client = redis.client({ maxRetriesPerRequest: null });
      const seeded = await seedKey(type, N * 3);
      stand = await openStand(redis);
      const id = await stand.plan([seeded.key], { speed: 'gentle' });
      const job = await stand.start(id);
      for (let killed = 0; killed < kills; killed++) {
        await removedSome(stand, id);
        await redis.kill('SIGKILL');
        await redis.restart();
        await sleep(300);
      }
      await stand.until(job, ['succeeded'], 60_000);
      await seeded.expectGone();
      await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
      await seeded.expectBack();
    },
    200_000,
  );

  it('without a file: what was set aside has vanished, and the item says so', async () => {
    const seeded = await seedKey('hash', N * 3);
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    await redis.kill('SIGKILL');
    await redis.restart();
    await stand.until(job, ['succeeded'], 60_000);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'vanished', reason: { code: 'tombstone_gone' } });
  });

  it('that stands still for a while is waited for, or a person is asked; then it goes on', async () => {
    const seeded = await seedKey('zset', N * 4);
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    await redis.kill('SIGSTOP');
    await sleep(2000);
    await redis.kill('SIGCONT');
    const stood = await stand.until(job, ['succeeded', 'paused'], 60_000);
    if (stood?.job.state === 'paused') {
      expect(stood.job.reason?.code).toBe('critical_latency');
      await resumeJob(LOCAL_ADMIN, job);
    }
    await stand.until(job, ['succeeded'], 60_000);
    await seeded.expectGone();
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    await seeded.expectBack();
  });
});

describe('a server that refuses', () => {
  it('scripts, then transactions: the rename takes the next form', async () => {
    for (const denied of [['-eval'], ['-eval', '-multi']]) {
      const seeded = await seedKey('set', 8_000);
      await client.call('ACL', 'SETUSER', 'default', ...denied);
      stand ??= await openStand(redis);
      const id = await stand.plan([seeded.key]);
      await stand.until(await stand.start(id), ['succeeded']);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'done', reason: null });
      await seeded.expectGone();
      await stand.until(await stand.start(id, 'undo'), ['succeeded']);
      await seeded.expectBack();
      await client.call('ACL', 'SETUSER', 'default', '+eval', '+multi');
      await client.flushall();
    }
  });

  it.each(TYPES)('all but what the documents ask for: %s goes and comes back', async (type) => {
    await client.call('ACL', 'SETUSER', 'keeper', 'on', '>pw', '~*', '&*', '+@all');
    const keeper = redis.client({ username: 'keeper', password: 'pw' });
    const seeded = await seedKey(type, 8_000);
    const before = await digestOf(seeded.name);
    await client.call(
      'ACL',
      'SETUSER',
      'default',
      'reset',
      'on',
      'nopass',
      '~*',
      '-@all',
      ...DELETE_COMMANDS.split(' '),
    );
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key, { name: 'big:neighbour', type: 'string', bytes: 60 }]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect((await stand.items(id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['done', null],
      ['done', null],
    ]);
    expect(await keeper.dbsize()).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect((await stand.items(id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['undone', null],
      ['undone', null],
    ]);
    expect(await digestOf(seeded.name, keeper)).toBe(before);
  });

  it('the removing command: the item stops and can be given back as it was', async () => {
    const seeded = await seedKey('hash', 8_000);
    await client.call('ACL', 'SETUSER', 'default', '-hdel');
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    await seeded.expectBack();
  });

  it('more memory: removing goes on, bringing back waits for a person', async () => {
    const seeded = await seedKey('hash', N);
    stand = await openStand(redis);
    await client.config('SET', 'maxmemory', '1');
    const id = await stand.plan([seeded.key]);
    await stand.until(await stand.start(id), ['succeeded']);
    await seeded.expectGone();
    const undo = await stand.start(id, 'undo');
    expect((await stand.until(undo, ['paused']))?.job.reason?.code).toBe('no_memory');
    await client.config('SET', 'maxmemory', '0');
    await resumeJob(LOCAL_ADMIN, undo);
    await stand.until(undo, ['succeeded']);
    await seeded.expectBack();
  });

  it('nothing, but saves: no element goes while a save runs', async () => {
    const seeded = await seedKey('hash', N * 2);
    await client.config('SET', 'rdb-key-save-delay', '10');
    await client.call('DEBUG', 'POPULATE', '200000', 'filler', '8');
    stand = await openStand(redis);
    await client.bgsave();
    const id = await stand.plan([seeded.key]);
    const job = await stand.start(id);
    await stand.until(job, ['waiting'], 10_000);
    expect((await getStoredJob(job))?.job.reason?.code).toBe('saving');
    expect(await client.hlen(seeded.name)).toBe(N * 2);
    await client.config('SET', 'rdb-key-save-delay', '0');
    await client.call('FLUSHALL', 'ASYNC').catch(() => {});
    await stand.until(job, ['succeeded'], 60_000);
  });

  it('our disk: nothing is removed without its copy', async () => {
    const seeded = await seedKey('hash', 8_000);
    writeFileSync(join(data.dir, 'archives'), 'in the way');
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key]);
    const job = await stand.start(id);
    expect((await stand.until(job, ['paused']))?.job.reason?.code).toBe('disk_full');
    const [item] = await stand.items(id);
    expect(item).toMatchObject({ state: 'tombstoned', removed: 0 });
    rmSync(join(data.dir, 'archives'));
    mkdirSync(join(data.dir, 'archives'));
    await resumeJob(LOCAL_ADMIN, job);
    await stand.until(job, ['succeeded']);
    await seeded.expectGone();
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    await seeded.expectBack();
  });
});

describe('an application that goes on', () => {
  it('makes the key anew: what it writes stays, and nothing is written over it', async () => {
    const seeded = await seedKey('hash', N * 2);
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    let written = 0;
    let storm = true;
    const writer = (async () => {
      while (storm) await client.hset(seeded.name, `new:${written++}`, 'mine');
    })();
    await stand.until(job, ['succeeded'], 60_000);
    storm = false;
    await writer;
    expect(await client.hlen(seeded.name)).toBe(written);
    const mine = await digestOf(seeded.name);
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'done', reason: { code: 'recreated' } });
    expect(await digestOf(seeded.name)).toBe(mine);
    await client.del(seeded.name);
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    await seeded.expectBack();
  });

  it('changes the key before its turn: it is left alone', async () => {
    const seeded = await seedKey('hash', 8_000);
    await client.del(seeded.name);
    await client.set(seeded.name, 'something else');
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'aborted', reason: { code: 'changed_type' } });
    expect(await client.get(seeded.name)).toBe('something else');
  });

  it('the clock passes the expiry meanwhile: nothing comes back unasked', async () => {
    const seeded = await seedKey('set', 8_000);
    await client.pexpire(seeded.name, 1500);
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key]);
    await stand.until(await stand.start(id), ['succeeded']);
    await sleep(1600);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'done', reason: { code: 'expired_meanwhile' } });
    expect(await client.exists(seeded.name)).toBe(0);
    await stand.until(await stand.start(id, 'undo', { restoreExpired: true }), ['succeeded']);
    expect(await client.pttl(seeded.name)).toBe(-1);
    expect(await client.scard(seeded.name)).toBe(8_000);
  });

  it('somebody pauses and somebody cancels: the rest is left, what was begun comes back', async () => {
    const seeded = await seedKey('hash', N * 3);
    stand = await openStand(redis);
    const id = await stand.plan([seeded.key], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    await pauseJob(LOCAL_ADMIN, job);
    await stand.until(job, ['paused']);
    const [item] = await stand.items(id);
    expect(item).toMatchObject({ state: 'draining' });
    expect(item?.removed).toBeGreaterThan(0);
    expect(item?.removed).toBeLessThan(N * 3);
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    await seeded.expectBack();
  });
});

describe('quarantine', () => {
  it('gives the very same key back, or purges it when its time is over', async () => {
    const seeded = await seedKey('list', N);
    stand = await openStand(redis);
    const first = await stand.plan([seeded.key], { mode: 'quarantine', quarantineHours: 1 });
    await stand.until(await stand.start(first), ['succeeded']);
    expect((await stand.items(first))[0]).toMatchObject({ state: 'quarantined' });
    await stand.until(await stand.start(first, 'undo'), ['succeeded']);
    await seeded.expectBack();
    const second = await stand.plan([seeded.key], {
      mode: 'quarantine',
      quarantineHours: 0.01,
      afterQuarantine: 'archive',
    });
    await stand.until(await stand.start(second), ['succeeded']);
    await sleep(200);
    await stand.until(await stand.start(second, 'purge'), ['succeeded']);
    expect((await stand.items(second))[0]).toMatchObject({ state: 'quarantined' });
  });
});

describe('a cluster', () => {
  let cluster: RedisCluster;
  it('whose slot moves in the middle: the work follows the key', async () => {
    cluster = await startCluster({ wishes: { args: ['--enable-debug-command', 'yes'] } });
    after.push(() => cluster.stop());
    const { slotOf } = await import('../../lib/redis/slot');
    const name = 'big:hash';
    const slot = slotOf(Buffer.from(name));
    const home = cluster.masters[cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to)] as RedisServer;
    const other = cluster.masters.find((node) => node !== home) as RedisServer;
    await seedLarge(home.client(), 'hash', name, N * 2);
    const before = await digestOf(name, home.client());
    stand = await openStand(cluster.masters, { topology: 'cluster' });
    const id = await stand.plan([{ name, type: 'hash', length: N * 2, bytes: 5_000_000 }], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    await cluster.moveSlots(home, other, [slot]);
    await stand.until(job, ['succeeded'], 60_000);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
    for (const node of cluster.masters) expect(await node.client().dbsize()).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    expect(await digestOf(name, other.client())).toBe(before);
  }, 120_000);

  it('whose master hands over to its replica in the middle: the work follows the new master', async () => {
    cluster = await startCluster({ replicas: 1, wishes: { args: ['--enable-debug-command', 'yes'] } });
    after.push(() => cluster.stop());
    const { slotOf } = await import('../../lib/redis/slot');
    const name = 'big:set';
    const slot = slotOf(Buffer.from(name));
    const index = cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to);
    const home = cluster.masters[index] as RedisServer;
    await seedLarge(home.client(), 'set', name, N * 3);
    const before = await digestOf(name, home.client());
    const homeId = String(await home.client().call('CLUSTER', 'MYID'));
    const heirs = await Promise.all(
      cluster.replicas.map(async (node) => [node, String(await node.client().call('CLUSTER', 'NODES'))] as const),
    );
    const heir = heirs.find(([, nodes]) =>
      nodes.split('\n').some((line) => line.includes('myself') && line.includes(homeId)),
    )?.[0];
    if (!heir) throw new Error('The master has no replica.');
    stand = await openStand(cluster.masters, { topology: 'cluster' });
    const id = await stand.plan([{ name, type: 'set', length: N * 3, bytes: 5_000_000 }], { speed: 'gentle' });
    const job = await stand.start(id);
    await removedSome(stand, id);
    await heir.client().call('CLUSTER', 'FAILOVER');
    const ended = await stand.until(job, ['succeeded', 'paused'], 60_000);
    if (ended?.job.state === 'paused') {
      await resumeJob(LOCAL_ADMIN, job);
      await stand.until(job, ['succeeded'], 60_000);
    }
    expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
    expect(await heir.client().call('ROLE')).toContain('master');
    expect(await heir.client().dbsize()).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded'], 60_000);
    expect(await digestOf(name, heir.client())).toBe(before);
  }, 120_000);
});
