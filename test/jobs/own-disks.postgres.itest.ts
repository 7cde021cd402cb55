import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine, stopEngine } from '@/lib/engine';
import { deepHealth } from '@/lib/jobs/health';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { getSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';
import { type ObjectStoreServer, startObjectStore } from '../servers/object-store';
import { TestPostgres } from '../servers/postgres';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';
import { temporaryData } from '../temporary-data';
import { register, startWorkerProcess, stateOf, type WorkerProcess } from './fleet';

/** Workers and a server with a disk each for snapshots, which meet in an object store. This process is `web`. */
let own: TestPostgres;
let store: ObjectStoreServer;
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  own = await TestPostgres.start();
  store = await startObjectStore();
  redis = await startRedis();
  await seedMixed(redis.client(), 20_000);
}, 300_000);
afterAll(async () => {
  await redis.stop();
  await store.close();
  await own.stop();
});
let n = 0;
beforeEach(() => {
  data = temporaryData();
  Object.assign(process.env, store.env(), {
    COLONNADE_DATABASE_URL: `${own.url}?schema=disks${++n}`,
    COLONNADE_SNAPSHOT_STORE: `s3://${store.bucket}/disks${n}`,
    COLONNADE_ROLE: 'web',
    COLONNADE_SNAPSHOTS: disk('web'),
  });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await stopEngine();
  for (const name of Object.keys(process.env))
    if (/^COLONNADE_(S3_|SNAPSHOT|ROLE)/.test(name)) delete process.env[name];
  await data.remove();
});

function disk(name: string): string {
  const dir = join(data.dir, `disk-${name}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}
async function worker(name: string): Promise<WorkerProcess> {
  const one = startWorkerProcess({ COLONNADE_ROLE: 'worker', COLONNADE_SNAPSHOTS: disk(name) });
  workers.push(one);
  await one.ready();
  return one;
}

it('a server shows what a worker with another disk has scanned', async () => {
  await startEngine();
  await worker('one');
  const instance = await register('apart', redis);
  const job = await startScan(LOCAL_ADMIN, instance.id, ScanOptions.parse({ speed: 'fast' }));
  await until('the scan', async () => (await stateOf(job.id)) === 'succeeded', 120_000);
  const id = (await getStoredJob(job.id))?.job.snapshotId as string;
  await until('the upload', async () => (await getSnapshotRow(id))?.storedAt != null, 120_000);
  await until('it to come', async () => (await getSnapshot(LOCAL_ADMIN, id)).keys > 0, 120_000);
  const { report } = await getReport(LOCAL_ADMIN, id, 'overview', {});
  expect(report.keys).toBe((await getSnapshot(LOCAL_ADMIN, id)).keys);
  await until(
    'the keys',
    async () => (await getReport(LOCAL_ADMIN, id, 'keys', { limit: 20 })).report.rows.length === 20,
  );
  expect((await deepHealth()).snapshotStore).toEqual({ ok: true, waiting: 0, failing: 0, error: null });
});

it('a scan whose worker was killed begins anew on another disk, and leaves one snapshot', async () => {
  await startEngine();
  const first = await worker('one');
  const instance = await register('moves', redis);
  const job = await startScan(LOCAL_ADMIN, instance.id, ScanOptions.parse({ speed: 'gentle' }));
  const begun = async () => {
    const stored = await getStoredJob(job.id);
    return stored?.checkpoint != null && stored.job.snapshotId !== null;
  };
  await until('it to begin', begun, 120_000);
  const before = (await getStoredJob(job.id))?.job.snapshotId;
  expect(before).toMatch(/^[a-z0-9]+$/);
  await first.end('SIGKILL');
  await worker('two');
  await until('the scan', async () => (await stateOf(job.id)) === 'succeeded', 180_000);
  const sealed = (await listSnapshotRows(instance.id)).filter(({ state }) => state === 'sealed');
  expect(sealed).toHaveLength(1);
  await until('it to come', async () => (await getSnapshot(LOCAL_ADMIN, sealed[0]!.id)).keys > 0, 120_000);
  // What the first one had read lies on its own disk.
  expect(sealed[0]!.id).not.toBe(before);
});
