import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getStoredJob } from '@/lib/store/jobs';
import { computeDigest, WITH_DIGEST } from '../deletions/digest';
import { seedLarge } from '../deletions/seed-large';
import { openStand, type Stand, type StandKey } from '../deletions/stand';
import { LONG } from '../long-form.mjs';
import { type Lie, type LyingProxy, startLyingProxy } from '../servers/lying-proxy';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/**
 * A proxy, or a server that is not Redis, sends false replies to a command, or withholds it from the server. Whatever
 * the reply is: no existing key is reported as deleted, no missing key as restored, the work ends, and once replies are
 * true again every key is restored as it was.
 */
vi.mock('@/lib/redis/write/server-time', async (original) => (await import('./sooner')).soonerDeadlines(original));
vi.mock('@/lib/runtime/backoff-ms', async (original) => (await import('./sooner')).soonerLooks(original));

/** More elements than a compact encoding holds. */
const ELEMENTS = LONG ? 1200 : 600;
const QUEUED: Lie = { reply: '+QUEUED\r\n', withheld: true };
const NOTHING_DONE: Lie = { reply: ':0\r\n', withheld: true };
const OK: Lie = { reply: '+OK\r\n', withheld: true };
const NIL: Lie = { reply: '$-1\r\n' };
const MINUS: Lie = { reply: ':-5\r\n' };
const WILD: Lie = { reply: '*3\r\n*1\r\n$-1\r\n:7\r\n$1\r\nx\r\n' };
const DENIED: Lie = { reply: "-NOPERM this user has no permissions to run the 'x' command\r\n", withheld: true };

let redis: RedisServer;
let client: Redis;
let proxy: LyingProxy;
let data: ReturnType<typeof temporaryData>;
let stand: Stand;
beforeAll(async () => {
  redis = await startRedis({ args: WITH_DIGEST });
  client = redis.client();
  proxy = await startLyingProxy(redis.port);
});
afterAll(async () => {
  await proxy.stop();
  await redis.stop();
});
beforeEach(async () => {
  data = temporaryData();
  stand = await openStand({ ...redis, port: proxy.port, address: proxy.address });
});
afterEach(async () => {
  proxy.lie = null;
  await stand.close();
  await data.remove();
});

async function seed(): Promise<StandKey[]> {
  await client.flushall();
  const large = ['hash', 'set', 'zset', 'list', 'stream'] as const;
  for (const type of large) await seedLarge(client, type, `large:${type}`, ELEMENTS);
  await client.call('XGROUP', 'CREATE', 'large:stream', 'workers', '0');
  await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', ELEMENTS / 2, 'STREAMS', 'large:stream', '>');
  await client.set('large:string', 'x'.repeat(300_000));
  await client.hset('small:hash', 'a', '1', 'b', '2');
  await client.rpush('small:list', 'a', 'b');
  return [
    ...large.map((type) => ({ name: `large:${type}`, type, length: ELEMENTS, bytes: 200_000 })),
    { name: 'large:string', type: 'string', length: 300_000, bytes: 300_100 },
    { name: 'small:hash', type: 'hash', length: 2, bytes: 100 },
    { name: 'small:list', type: 'list', length: 2, bytes: 100 },
  ];
}

const readContent = async (name: string) =>
  (await client.exists(name)) === 1 ? computeDigest(client, name) : 'absent';

/** Waits until the job ends, or waits with a reason. */
async function settled(jobId: string): Promise<string> {
  for (;;) {
    const { state = 'queued', reason = null } = (await getStoredJob(jobId))?.job ?? {};
    if (['succeeded', 'failed', 'paused'].includes(state) || (state === 'waiting' && reason)) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns contradictions between the journal and the keys that exist. */
async function lies(id: string, before: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const { seq, name, state } of await stand.items(id)) {
    const is = await readContent(String(name));
    const ours = await client.keys(`colonnade:trash:*:${id}:${seq}*`);
    if (state === 'done' && (is !== 'absent' || ours.length > 0)) found.push(`${name} is done, and there`);
    if (state === 'undone' && is !== before.get(String(name))) found.push(`${name} is undone, and not back`);
  }
  return found;
}

type LieCase = [phase: 'run' | 'undo', mode: string, command: string, lie: Lie];
/** Covers each command and each kind of false reply at least once, in each phase. */
const FEW: LieCase[] = [
  ['run', 'archive', 'UNLINK', QUEUED],
  ['run', 'unlink', 'UNLINK', NOTHING_DONE],
  ['run', 'archive', 'EXISTS', NIL],
  ['run', 'archive', 'HDEL', MINUS],
  ['run', 'archive', 'XACK', NOTHING_DONE],
  ['run', 'archive', 'XPENDING', WILD],
  ['run', 'archive', 'EVAL', WILD],
  ['run', 'archive', 'INFO', NIL],
  ['undo', 'archive', 'EVAL', NIL],
  ['undo', 'archive', 'EXISTS', QUEUED],
  ['undo', 'archive', 'UNLINK', OK],
  ['undo', 'archive', 'HLEN', MINUS],
  ['undo', 'archive', 'RPUSH', NOTHING_DONE],
  ['undo', 'quarantine', 'EVAL', DENIED],
];
const MORE: LieCase[] = [
  ['run', 'archive', 'UNLINK', NOTHING_DONE],
  ['run', 'archive', 'UNLINK', OK],
  ['run', 'archive', 'EXISTS', QUEUED],
  ['run', 'archive', 'ZCARD', MINUS],
  ['run', 'archive', 'EVAL', QUEUED],
  ['undo', 'quarantine', 'EXISTS', NIL],
];
const LIES = LONG ? [...FEW, ...MORE] : FEW;
const describeLie = ({ reply, withheld }: Lie) =>
  `${String(reply).trim().slice(0, 12)}${withheld ? ', asking nobody' : ''}`;

describe('a connection that ends when the server is asked who it is', () => {
  it.each(LONG ? [1, 2, 3, 4] : [1, 3])('at INFO number %i: the run goes on by itself', async (nth) => {
    const keys = (await seed()).slice(-2);
    const id = await stand.plan(keys, { mode: 'archive' });
    let asked = 0;
    proxy.lie = ([word]) => (word === 'INFO' && ++asked === nth ? { close: true, withheld: true } : null);
    const job = await stand.start(id, 'run');
    await stand.until(job, ['succeeded', 'failed']);
    expect((await getStoredJob(job))?.job).toMatchObject({ state: 'succeeded', error: null });
    expect(asked).toBeGreaterThan(nth);
  });
});

describe('a server whose answer is another than what it did', () => {
  it.each(LIES.map(([phase, mode, command, lie]) => ({ phase, mode, command, lie, says: describeLie(lie) })))(
    '$phase in mode $mode, $command says $says: nothing is called what it is not, and all comes back',
    async ({ phase, mode, command, lie }) => {
      const keys = await seed();
      const before = new Map<string, string>();
      for (const { name } of keys) before.set(String(name), await readContent(String(name)));
      const id = await stand.plan(keys, { mode });
      for (const action of ['run', 'undo'] as const) {
        if (action === phase) proxy.lie = ([word]) => (word === command ? lie : null);
        const job = await stand.start(id, action);
        await settled(job);
        expect(await lies(id, before)).toEqual([]);
        proxy.lie = null;
        await stand.until(job, ['succeeded', 'failed']);
        expect(await lies(id, before)).toEqual([]);
      }
      await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
      const is = await Promise.all(keys.map(async ({ name }) => [String(name), await readContent(String(name))]));
      if (mode !== 'unlink') expect(Object.fromEntries(is)).toEqual(Object.fromEntries(before));
    },
  );
});
