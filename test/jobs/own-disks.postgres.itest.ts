import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine, stopEngine } from '@/lib/engine';
import { checkHealth } from '@/lib/jobs/health';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { startScan } from '@/lib/scans/start-scan';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { withSource } from '@/lib/snapshots/query/with-source';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { getStoredJob } from '@/lib/store/jobs';
import { getSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';
import { type ObjectStoreServer, startObjectStore } from '../servers/object-store';
import { TestPostgres } from '../servers/postgres';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { temporaryData } from '../temporary-data';
import { readState, register, startWorkerProcess, type WorkerProcess } from './fleet';

/**
 * Workers and a server that each have a separate disk for snapshots and share an object store. This process is `web`.
 */
let own: TestPostgres;
let store: ObjectStoreServer;
/** A server with so many keys that a gentle scan takes some seconds. */
let redis: RedisServer;
const KEYS = 200_000;
let data: ReturnType<typeof temporaryData>;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  own = await TestPostgres.start();
  store = await startObjectStore();
  redis = await startRedis();
  await pour(redis.client(), manyKeys());
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
function* manyKeys(): Iterable<string[]> {
  for (let i = 0; i < KEYS; i++) yield ['SET', `item:${i}`, 'v'];
}
async function worker(name: string): Promise<WorkerProcess> {
  const one = startWorkerProcess({ COLONNADE_ROLE: 'worker', COLONNADE_SNAPSHOTS: disk(name) });
  workers.push(one);
  await one.ready();
  return one;
}

const makeCheckpoint = async (id: string) => (await getStoredJob(id))?.checkpoint as ScanCheckpoint | null;
const toKeys = (checkpoint: ScanCheckpoint | null) =>
  (checkpoint?.partitions ?? []).reduce((sum, { keys }) => sum + keys, 0);
/** Number of keys that a scan reads to find out its permissions. */
const PROBES = 50;
/** Returns the number of keys whose facts were read since the statistics were reset. */
async function keysAsked(): Promise<number> {
  const stats = await redis.client().info('commandstats');
  return Number(/cmdstat_type:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

it('a scan whose worker was killed begins anew on another disk and says so; a server shows what it has read', async () => {
  await startEngine();
  const first = await worker('one');
  const { id: instanceId } = await register('moves', redis);
  const { id: jobId } = await startScan(LOCAL_ADMIN, instanceId, ScanOptions.parse({ speed: 'gentle' }));
  await until('it to begin', async () => toKeys(await makeCheckpoint(jobId)) > 0, 120_000);
  await first.end('SIGKILL');
  const before = (await makeCheckpoint(jobId))!;
  expect(before.readingDone).toBe(false);
  await redis.client().call('CONFIG', 'RESETSTAT');
  await worker('two');
  await until('the scan', async () => (await readState(jobId)) === 'succeeded', 180_000);
  expect((await getStoredJob(jobId))?.job.progress?.begunAnew).toBe(true);
  expect(await keysAsked()).toBeGreaterThanOrEqual(KEYS);
  expect(await keysAsked()).toBeLessThan(KEYS + PROBES);
  const rows = await listSnapshotRows(instanceId);
  expect(rows.map(({ state }) => state)).toEqual(['sealed']);
  const { id } = rows[0]!;
  expect(id).not.toBe(before.snapshotId);
  await until('the upload', async () => (await getSnapshotRow(id))?.storedAt != null, 120_000);
  await until('it to come', async () => (await getSnapshot(LOCAL_ADMIN, id)).keys > 0, 120_000);
  expect((await getReport(LOCAL_ADMIN, id, 'overview', {})).report.keys).toBe(KEYS);
  const listed = async () => (await getReport(LOCAL_ADMIN, id, 'keys', { limit: 20 })).report.rows.length;
  await until('the keys', async () => (await listed()) === 20);
  expect((await checkHealth()).snapshotStore).toEqual({ ok: true, waiting: 0, failing: 0, error: null });
  await bringKeys(id, { maxWaitMs: null });
  const manifest = await getSnapshot(LOCAL_ADMIN, id);
  const [found] = await withSource({ dir: getSnapshotFolder(id), manifest }, ({ query, keys }) =>
    query<{ rows: number; names: number }>(`SELECT count(*) AS rows, count(DISTINCT name) AS names FROM ${keys}`),
  );
  expect(found).toEqual({ rows: KEYS, names: KEYS });
  expect(manifest.coverage).toMatchObject({ keysRead: KEYS, duplicatesRemoved: 0, restarts: 0, partial: false });
  // The first worker returns later; what it had read is not needed any more.
  const left = join(disk('one'), before.snapshotId);
  utimesSync(left, 0, 0);
  await worker('one');
  await until('its parts to go', async () => !existsSync(left));
});
