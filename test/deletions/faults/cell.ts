import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import { leftovers } from '../../../lib/deletions/leftovers';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { sleep } from '../../servers/process';
import { type RedisServer, startRedis } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { openStand, type Stand } from '../stand';
import { type Fault, type FaultProxy, type Held, startFaultProxy } from './fault-proxy';
import type { Kind } from './kinds';

/** One cell of the matrix: a server with one key to remove and neighbours, reached over a line that can break. */
export interface Cell {
  kind: Kind;
  name: string;
  redis: RedisServer;
  client: Redis;
  proxy: FaultProxy;
  stand: Stand;
  folder: string;
  /** What the key was. */
  digest: string;
  /** The same without an expiry, which a digest tells apart. */
  bare: string;
  expireAt: number;
  digestOf(name: string): Promise<string>;
  plan(options?: Record<string, unknown>): Promise<string>;
  /** Starts removing with a fault on the way; resolves when it struck. */
  strike(fault: Fault, start: () => Promise<string>): Promise<{ held: Held; job: string }>;
  /** To the end; a person goes on as often as one is asked. Returns what was asked. */
  through(job: string): Promise<string[]>;
  item(id: string): Promise<Awaited<ReturnType<Stand['items']>>[number]>;
  worker(): Promise<ChildProcess>;
  /** The key is away, nothing of ours is there, no neighbour was touched. */
  expectGone(id: string, made?: string[]): Promise<void>;
  /** As before: value, expiry, neighbours. */
  expectBack(id: string): Promise<void>;
  close(): Promise<void>;
}

const NEIGHBOURS = ['app:key', 'app:key:2', 'app:', 'colonnade:trashy', 'zz'];

export async function openCell(kind: Kind, wishes: { args?: string[]; ownRunner?: boolean } = {}): Promise<Cell> {
  const data = temporaryData();
  const redis = await startRedis({ args: ['--enable-debug-command', 'yes', ...(wishes.args ?? [])] });
  const client = redis.client({ maxRetriesPerRequest: null });
  const proxy = await startFaultProxy(redis.port);
  const name = 'app:the key';
  await kind.seed(client, name);
  for (const [i, neighbour] of NEIGHBOURS.entries())
    if (i % 2) await client.rpush(neighbour, 'a', 'b', i);
    else await client.hset(neighbour, 'a', i, 'b', 'c');
  const digestOf = async (key: string) => String(((await client.call('DEBUG', 'DIGEST-VALUE', key)) as string[])[0]);
  const bare = await digestOf(name);
  const expireAt = Date.now() + 7_200_000;
  await client.pexpireat(name, expireAt);
  const digest = await digestOf(name);
  const around = async () => Promise.all(NEIGHBOURS.map(digestOf));
  const before = await around();
  const stand = await openStand({ ...redis, port: proxy.port } as RedisServer, {}, wishes.ownRunner !== true);
  const children: ChildProcess[] = [];
  const item = async (id: string) => {
    const [only] = await stand.items(id);
    if (!only) throw new Error('The deletion has no item.');
    return only;
  };
  return {
    kind,
    name,
    redis,
    client,
    proxy,
    stand,
    folder: data.dir,
    digest,
    bare,
    expireAt,
    digestOf,
    item,
    plan: (options = {}) =>
      stand.plan([{ name, type: kind.type, length: kind.length, bytes: kind.bytes, expireAt }], options),
    async strike(fault, start) {
      const struck = proxy.strike(fault);
      const job = await start();
      const late = sleep(30_000).then(() => {
        throw new Error(`${fault.word} was not sent`);
      });
      return { held: await Promise.race([struck, late]), job };
    },
    async through(job) {
      const asked: string[] = [];
      for (;;) {
        const stored = await stand.until(job, ['succeeded', 'paused'], 60_000);
        if (stored?.job.state === 'succeeded') return asked;
        asked.push(stored?.job.reason?.code ?? '?');
        if (asked.length > 5) throw new Error(`A person was asked again and again: ${asked.join(' ')}`);
        await resumeJob(LOCAL_ADMIN, job);
      }
    },
    async worker() {
      const child = spawn(process.execPath, ['--import', 'tsx', 'test/deletions/deletion-worker.ts'], {
        env: { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      return child;
    },
    async expectGone(id, made = []) {
      expect(await item(id)).toMatchObject({ state: 'done' });
      expect((await client.keys('*')).sort()).toEqual([...NEIGHBOURS, ...made].sort());
      expect(await around()).toEqual(before);
      expect(await leftovers(LOCAL_ADMIN, stand.instanceId)).toEqual([]);
    },
    async expectBack(id) {
      expect(await item(id)).toMatchObject({ state: 'undone', reason: null });
      expect(await digestOf(name)).toBe(digest);
      expect(await client.pexpiretime(name)).toBe(expireAt);
      expect((await client.keys('*')).sort()).toEqual([...NEIGHBOURS, name].sort());
      expect(await around()).toEqual(before);
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await stand.close();
      await proxy.stop();
      await redis.stop();
      await data.remove();
    },
  };
}
