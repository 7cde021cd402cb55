import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { cancelJob } from '@/lib/jobs/cancel-job';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { pauseJob } from '@/lib/jobs/pause-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { getInstanceRow, updateInstanceRow } from '@/lib/store/instances';
import { getStoredJob } from '@/lib/store/jobs';
import { type Liar, startLyingProxy } from '../servers/lying-proxy';
import { sleep, until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { array, bulk } from '../servers/rogue';
import { temporaryData } from '../temporary-data';
import { WITH_DIGEST } from './digest';
import { type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { untilHeard } from './faults/finish-job';
import { strikeAt } from './faults/hold-midway';
import { seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/**
 * Two instances contain the same node, each with its own executor: only one deletion writes there at a time, whichever
 * process runs it.
 */
const FIELDS = 1_000;
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let proxy: FaultProxy;
let stands: [Stand, Stand];

beforeAll(async () => {
  redis = await startRedis({ args: WITH_DIGEST });
});
afterAll(() => redis.stop());
beforeEach(async () => {
  data = temporaryData();
  await redis.client().flushall();
  proxy = await startFaultProxy(redis.port);
  const reached = { ...redis, port: proxy.port } as RedisServer;
  stands = [
    await openStand(reached, { name: 'address' }),
    await openStand({ ...reached, host: 'localhost' }, { name: 'host' }),
  ];
});
afterEach(async () => {
  for (const stand of stands) await stand.close();
  await proxy.stop();
  await data.remove();
});

/**
 * Deletes a large key step by step, on the first of the two instances, and holds it in the middle until `letGo` is
 * called.
 */
async function longDeletion(): Promise<{ first: string; letGo(): void }> {
  await seedLarge(redis.client(), 'hash', 'long', FIELDS);
  const [stand] = stands;
  const plan = await stand.plan([{ name: 'long', type: 'hash', length: FIELDS }], { mode: 'drain', speed: 'gentle' });
  const hold = { word: 'HDEL', after: 3, act: 'hold' } as const;
  const { held, started } = await strikeAt(proxy, hold, () => stand.start(plan));
  return { first: started, letGo: held.release };
}
async function planShort(options: Record<string, unknown> = { mode: 'unlink' }): Promise<string> {
  await redis.client().hset('short', { a: '1', b: '2' });
  return stands[1].plan([{ name: 'short', type: 'hash', length: 2 }], options);
}
const isWrite = (word: string) => ['EVAL', 'EVALSHA', 'RENAMENX', 'UNLINK', 'DEL', 'MULTI', 'WATCH'].includes(word);
/** The lies of a cluster of one node that names another server as the master of slot 0, and never answers a write. */
function nameAsMaster(named: number, own: number): Liar {
  const node = (port: number) =>
    array([
      ...[bulk('endpoint'), bulk('127.0.0.1'), bulk('port'), `:${port}\r\n`, bulk('ip'), bulk('127.0.0.1')],
      ...[bulk('role'), bulk('master'), bulk('health'), bulk('online')],
    ]);
  const shard = (from: number, to: number, port: number) =>
    array([bulk('slots'), array([`:${from}\r\n`, `:${to}\r\n`]), bulk('nodes'), array([node(port)])]);
  const shards = array([shard(0, 0, named), shard(1, 16_383, own)]);
  return ([word, second]) => {
    if (word === 'INFO') return { reply: sayCluster };
    if (word === 'READONLY') return { withheld: true, reply: '+OK\r\n' };
    if (word === 'CLUSTER') return { withheld: true, reply: second === 'SHARDS' ? shards : '-ERR unknown\r\n' };
    return isWrite(word) ? { withheld: true, silent: true } : null;
  };
}
const sayCluster = (truth: Buffer) =>
  bulk(
    truth
      .toString('latin1')
      .replace(/^\$\d+\r\n|\r\n$/g, '')
      .replace('redis_mode:standalone', 'redis_mode:cluster')
      .replace('cluster_enabled:0', 'cluster_enabled:1'),
  );
const stored = async (id: string) => (await getStoredJob(id))!;
const readState = async (id: string) => (await stored(id)).job.state;
const untilItIs = (id: string, state: string) => until(state, async () => (await readState(id)) === state);
const untilItWaits = (id: string) =>
  until('it to wait', async () => {
    const { job } = await stored(id);
    return job.state === 'waiting' && job.reason?.code === 'node_busy';
  });

it('the second waits until the first has ended, whatever the node is called', async () => {
  const { first, letGo } = await longDeletion();
  const second = await stands[1].start(await planShort());
  await untilItWaits(second);
  // The reason names the job that has to end or be paused.
  expect((await stored(second)).job.reason?.params).toEqual({ address: `localhost:${proxy.port}`, job: first });
  letGo();
  // The order of the checks matters: when the key is gone, the other job must already have ended.
  const asking = redis.client();
  while ((await asking.exists('short')) === 1) {
    expect(await readState(second)).not.toBe('failed');
    await sleep(10);
  }
  expect(await readState(first)).toBe('succeeded');
  await untilItIs(second, 'succeeded');
  expect(await redis.client().keys('*')).toEqual([]);
});

it('an undo waits for one at the same address, and goes on when that is paused; that one waits when resumed', async () => {
  const row = (await getInstanceRow(stands[1].instanceId))!;
  const endpoints = [{ host: '127.0.0.1', port: proxy.port }];
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints } });
  const plan = await planShort({ mode: 'archive' });
  await stands[1].until(await stands[1].start(plan), ['succeeded']);
  const { first, letGo } = await longDeletion();
  const undo = await stands[1].start(plan, 'undo');
  await untilItWaits(undo);
  expect(await redis.client().exists('short')).toBe(0);
  await pauseJob(LOCAL_ADMIN, first);
  await untilHeard(first);
  letGo();
  await stands[1].until(undo, ['succeeded']);
  expect(await redis.client().hgetall('short')).toEqual({ a: '1', b: '2' });
  await resumeJob(LOCAL_ADMIN, first);
  await stands[0].until(first, ['succeeded']);
});

it('an undo waits for nobody at another address, who only says the same run id', async () => {
  const plan = await planShort({ mode: 'archive' });
  await stands[1].until(await stands[1].start(plan), ['succeeded']);
  const { letGo } = await longDeletion();
  await stands[1].until(await stands[1].start(plan, 'undo'), ['succeeded']);
  expect(await redis.client().hgetall('short')).toEqual({ a: '1', b: '2' });
  letGo();
});

it('an undo waits for nobody whose server only names the address, and never reached it', async () => {
  const [stand] = stands;
  await redis.client().hset('short', { a: '1', b: '2' });
  const plan = await stand.plan([{ name: 'short', type: 'hash', length: 2 }], { mode: 'archive' });
  await stand.until(await stand.start(plan), ['succeeded']);
  const elsewhere = await startRedis({ args: WITH_DIGEST });
  await elsewhere.client().hset('hung', { a: '1' });
  const rogue = await startLyingProxy(elsewhere.port);
  rogue.lie = nameAsMaster(proxy.port, rogue.port);
  const other = await openStand(rogue as never, { name: 'rogue', topology: 'cluster' }, true, false);
  try {
    const hung = await other.start(await other.plan([{ name: 'hung', type: 'hash', length: 1 }], { mode: 'unlink' }));
    await until('the rogue to be asked to delete', async () => rogue.lies > 0 && [...rogue.seen.keys()].some(isWrite));
    await stand.until(await stand.start(plan, 'undo'), ['succeeded']);
    expect(await redis.client().hgetall('short')).toEqual({ a: '1', b: '2' });
    expect(await readState(hung)).not.toBe('succeeded');
    expect((await stored(hung)).checkpoint).toMatchObject({ nodes: [{ address: rogue.address }] });
  } finally {
    await other.close();
    await rogue.stop();
    await elsewhere.stop();
  }
});

it('one that waits is paused and cancelled, and nothing of it was written', async () => {
  const { letGo } = await longDeletion();
  const second = await stands[1].start(await planShort());
  await untilItWaits(second);
  await pauseJob(LOCAL_ADMIN, second);
  await untilItIs(second, 'paused');
  await resumeJob(LOCAL_ADMIN, second);
  await untilItWaits(second);
  await cancelJob(LOCAL_ADMIN, second);
  await untilItIs(second, 'cancelled');
  letGo();
  expect(await redis.client().hgetall('short')).toEqual({ a: '1', b: '2' });
});

it('a scan reads beside a deletion, and deletions of other nodes go on', async () => {
  const elsewhere = await startRedis({ args: WITH_DIGEST });
  const other = await openStand(elsewhere, { name: 'elsewhere' });
  const scans: Runner = createRunner({ kinds: [scanKind as never], concurrency: 2, tickMs: 100, pollMs: 50 });
  await scans.start();
  try {
    const { first, letGo } = await longDeletion();
    await elsewhere.client().hset('short', { a: '1' });
    await other.until(
      await other.start(await other.plan([{ name: 'short', type: 'hash', length: 1 }], { mode: 'unlink' })),
      ['succeeded'],
    );
    const scan = await startScan(LOCAL_ADMIN, stands[1].instanceId, ScanOptions.parse({ speed: 'fast' }));
    await stands[1].until(scan.id, ['succeeded']);
    expect(await readState(first)).toMatch(/running|waiting/);
    expect((await stored(first)).job.reason?.code).not.toBe('node_busy');
    letGo();
  } finally {
    await scans.stop();
    await other.close();
    await elsewhere.stop();
  }
});
