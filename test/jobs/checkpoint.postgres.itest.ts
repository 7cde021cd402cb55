import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine, stopEngine } from '@/lib/engine';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { LONG } from '../long-form.mjs';
import { asHost } from '../servers/as-host';
import { TestPostgres } from '../servers/postgres';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { readState, register, startWorkerProcess, type WorkerProcess } from './fleet';

/** A worker is killed in the middle of a long scan, and another one continues it. This process is `web`. */
const KEYS = LONG ? 500_000 : 350_000;
/** Before the worker is killed, at least so many keys are in part files that the checkpoint names. */
const KEPT = 12_000;
/** Greatest number of keys that SCAN may return twice. */
const TWICE = 3000;

let own: TestPostgres;
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
const workers: WorkerProcess[] = [];
let databases = 0;

beforeAll(async () => {
  own = await TestPostgres.start();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  await redis.client().call('DEBUG', 'POPULATE', String(KEYS), 'app:item', '32');
}, 300_000);
afterAll(async () => {
  await redis.stop();
  await own.stop();
});
beforeEach(() => {
  data = temporaryData();
  process.env.COLONNADE_DATABASE_URL = `${own.url}?schema=c${++databases}`;
  process.env.COLONNADE_ROLE = 'web';
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await stopEngine();
  delete process.env.COLONNADE_ROLE;
  await data.remove();
});

async function worker(env: Record<string, string> = {}): Promise<WorkerProcess> {
  const one = startWorkerProcess({ COLONNADE_ROLE: 'worker', ...env });
  workers.push(one);
  await one.ready();
  return one;
}
const findHolder = async (id: string) => (await getStoredJob(id))?.lease;
async function makeCheckpoint(id: string): Promise<{ parts: string[]; keys: number; isReading: boolean }> {
  const partitions = ((await getStoredJob(id))?.checkpoint as ScanCheckpoint | null)?.partitions ?? [];
  return {
    parts: partitions.flatMap(({ parts }) => parts),
    keys: partitions.reduce((sum, { keys }) => sum + keys, 0),
    isReading: partitions.some(({ done, cursor }) => !done && cursor !== '0'),
  };
}

type Taken = [when: string, env: Record<string, string>, after: { from: number; to: number }];
/** The job is taken over before its lease of 30 s, renewed a moment ago, can have expired. */
const AT_ONCE: Taken = ['on the same host at once', {}, { from: 0, to: 25_000 }];
/** No process on this host can see that the worker has died, so its lease has to expire. */
const LATER: Taken = [
  'on another host when its lease has run out',
  { NODE_OPTIONS: asHost('elsewhere').join(' ') },
  { from: 25_000, to: 120_000 },
];
it.each(LONG ? [AT_ONCE, LATER] : [AT_ONCE])(
  'the scan of a killed worker is taken over %s, and no key of its checkpoint is read again',
  async (_when, env, { from, to }) => {
    await startEngine();
    const instance = await register('large', redis);
    const first = await worker(env);
    const { id } = await startScan(LOCAL_ADMIN, instance.id, ScanOptions.parse({ speed: 'gentle' }));
    await expect
      .poll(async () => (await makeCheckpoint(id)).keys, { timeout: 90_000, interval: 50 })
      .toBeGreaterThan(KEPT);
    await first.end('SIGKILL');
    const killed = performance.now();
    const kept = await makeCheckpoint(id);
    expect(kept).toMatchObject({ isReading: true });
    const { snapshotId } = (await getStoredJob(id))!.job;
    await redis.client().config('RESETSTAT');

    const second = await worker();
    const isSecond = async () => (await findHolder(id))?.holder?.split('/')[1] === String(second.child.pid);
    await expect.poll(isSecond, { timeout: 120_000, interval: 50 }).toBe(true);
    const waited = performance.now() - killed;
    expect(waited).toBeGreaterThan(from);
    expect(waited).toBeLessThan(to);
    expect((await findHolder(id))?.fence).toBe(2);
    // The saved parts stay, and new parts are appended after them.
    await expect
      .poll(async () => (await makeCheckpoint(id)).parts.length, { timeout: 90_000, interval: 50 })
      .toBeGreaterThan(kept.parts.length);
    expect((await makeCheckpoint(id)).parts.slice(0, kept.parts.length)).toEqual(kept.parts);
    await expect.poll(() => readState(id), { timeout: 180_000 }).toBe('succeeded');

    const asked = Number(/cmdstat_type:calls=(\d+)/.exec(await redis.client().info('commandstats'))?.[1]);
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(KEYS - kept.keys + TWICE);
    const snapshots = await listSnapshotRows(instance.id);
    expect(snapshots).toMatchObject([{ id: snapshotId, state: 'sealed', keys: KEYS }]);
  },
  400_000,
);
