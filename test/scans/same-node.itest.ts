import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { cancelJob } from '@/lib/jobs/cancel-job';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { isSameNode } from '@/lib/jobs/node-claims';
import { pauseJob } from '@/lib/jobs/pause-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { startFaultProxy } from '../deletions/faults/fault-proxy';
import { register } from '../jobs/fleet';
import { LONG } from '../long-form.mjs';
import { sleep, until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';
import { temporaryData } from '../temporary-data';

/** Several instances contain the same node: only one scan reads it at a time, whichever process runs the scans. */
const KEYS = 30_000;
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let runner: Runner;
/** Three instances of one server. */
let instances: string[];

beforeAll(async () => {
  redis = await startRedis();
  await seedMixed(redis.client(), KEYS);
});
afterAll(() => redis?.stop());
beforeEach(async () => {
  data = temporaryData();
  instances = [];
  for (const [i, host] of ['127.0.0.1', 'localhost', '127.0.0.1'].entries())
    instances.push((await register(`name ${i}`, { ...redis, host })).id);
  // A waiting job frees its slot for others.
  runner = createRunner({ kinds: [scanKind as never], concurrency: 2, tickMs: 100, pollMs: 50 });
  await runner.start();
});
afterEach(async () => {
  await runner.stop();
  await data.remove();
});

const begin = async (i: number, speed = 'gentle') =>
  (await startScan(LOCAL_ADMIN, instances[i] as string, ScanOptions.parse({ speed }))).id;
const stored = async (id: string) => (await getStoredJob(id))!;
const readState = async (id: string) => (await stored(id)).job.state;
const read = async (id: string) => (await stored(id)).job.progress?.done ?? 0;
const untilItReads = (id: string) => until('it to read', async () => (await read(id)) > 0);
const untilItWaits = (id: string) =>
  until(
    'it to wait',
    async () => (await stored(id)).job.reason?.code === 'node_busy' && (await readState(id)) === 'waiting',
  );
const untilItIs = (id: string, state: string) => until(state, async () => (await readState(id)) === state, 120_000);

async function hasRead(id: string): Promise<boolean> {
  const { job, checkpoint } = await stored(id);
  return job.state === 'succeeded' || (checkpoint as ScanCheckpoint).readingDone;
}
async function expectWhole(id: string): Promise<void> {
  await untilItIs(id, 'succeeded');
  expect(await getSnapshotRow((await stored(id)).job.snapshotId ?? '')).toMatchObject({ state: 'sealed', keys: KEYS });
}

it('the second waits until the first has read, whatever the node is called; others are not held up', async () => {
  const [first, second] = [await begin(0), await begin(1)];
  await Promise.race([untilItWaits(first), untilItWaits(second)]);
  const [waits, reads] = (await readState(first)) === 'waiting' ? [first, second] : [second, first];
  const elsewhere = await startRedis();
  await elsewhere.client().set('a', '1');
  const { id } = await register('elsewhere', elsewhere);
  const third = await startScan(LOCAL_ADMIN, id, ScanOptions.parse({ speed: 'fast' }));
  await untilItIs(third.id, 'succeeded');
  await elsewhere.stop();
  expect([await readState(waits), await hasRead(reads)]).toEqual(['waiting', false]);
  // The order of the checks matters: when the waiting scan has read something, the other one must have finished
  // reading.
  while ((await read(waits)) === 0) await sleep(10);
  expect(await hasRead(reads)).toBe(true);
  for (const one of [reads, waits]) await expectWhole(one);
});

it.runIf(LONG)('pausing one lets the next begin, and it waits when it is resumed', async () => {
  const first = await begin(0);
  await untilItReads(first);
  const second = await begin(1);
  await untilItWaits(second);
  await pauseJob(LOCAL_ADMIN, first);
  await untilItReads(second);
  await resumeJob(LOCAL_ADMIN, first);
  await untilItWaits(first);
  for (const one of [first, second]) await expectWhole(one);
});

it('those that had begun before do not wait for each other', async () => {
  const paused = [await begin(0), await begin(1)];
  // One scan has read something when it is paused, and the other one reads after it.
  for (let begun = 0; begun < 2; begun++) {
    let reading = '';
    await until('one to read', async () => {
      for (const id of paused) if ((await readState(id)) !== 'paused' && (await read(id)) > 0) reading = id;
      return reading !== '';
    });
    await pauseJob(LOCAL_ADMIN, reading);
    await untilItIs(reading, 'paused');
  }
  const third = await begin(2);
  await untilItReads(third);
  for (const id of paused) await resumeJob(LOCAL_ADMIN, id);
  for (const id of paused) await untilItWaits(id);
  await cancelJob(LOCAL_ADMIN, third);
  for (const id of paused) await expectWhole(id);
});

it('one that waits can be cancelled', async () => {
  const proxy = await startFaultProxy(redis.port);
  const { id } = await register('held', { ...redis, port: proxy.port } as RedisServer);
  const struck = proxy.strike({ word: 'SCAN', act: 'hold' });
  const first = await startScan(LOCAL_ADMIN, id, ScanOptions.parse({ speed: 'gentle' }));
  const held = await struck;
  const second = await begin(1);
  await untilItWaits(second);
  await cancelJob(LOCAL_ADMIN, second);
  await untilItIs(second, 'cancelled');
  expect(await hasRead(first.id)).toBe(false);
  held.release();
  await cancelJob(LOCAL_ADMIN, first.id);
  await untilItIs(first.id, 'cancelled');
  await proxy.stop();
});

it('where a server does not tell its run id, the address decides', () => {
  const node = (address: string, runId: string | null) => ({ address, runId, role: 'master' as const, slots: [] });
  expect(isSameNode(node('a:1', 'x'), node('b:1', 'x'))).toBe(true);
  expect(isSameNode(node('a:1', 'x'), node('a:1', 'y'))).toBe(false);
  expect(isSameNode(node('a:1', null), node('a:1', 'y'))).toBe(true);
  expect(isSameNode(node('a:1', null), node('b:1', null))).toBe(false);
});
