import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine, stopEngine } from '@/lib/engine';
import { deepHealth } from '@/lib/jobs/health';
import { pauseJob } from '@/lib/jobs/pause-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';
import type { ScanCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { startScan } from '@/lib/scans/start-scan';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { withSource } from '@/lib/snapshots/query/with-source';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { type ObjectStore, objectStore } from '@/lib/snapshots/remote/objects/object-store';
import { scanPlace } from '@/lib/snapshots/remote/scan-files';
import { getStoredJob } from '@/lib/store/jobs';
import { getSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';
import { LONG } from '../long-form.mjs';
import { type ObjectStoreServer, startObjectStore } from '../servers/object-store';
import { TestPostgres } from '../servers/postgres';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour, seedMixed } from '../servers/seed';
import { startTcpProxy } from '../servers/tcp-proxy';
import { temporaryData } from '../temporary-data';
import { register, startWorkerProcess, stateOf, type WorkerProcess } from './fleet';

/**
 * Workers and a server that each have a separate disk for snapshots and share an object store. This process is `web`.
 */
let own: TestPostgres;
let store: ObjectStoreServer;
let redis: RedisServer;
/** A server with so many keys that a gentle scan takes some seconds. */
let large: RedisServer;
const KEYS = LONG ? 600_000 : 200_000;
let data: ReturnType<typeof temporaryData>;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  own = await TestPostgres.start();
  store = await startObjectStore();
  redis = await startRedis();
  await seedMixed(redis.client(), 20_000);
  large = await startRedis();
  await pour(large.client(), manyKeys());
}, 300_000);
afterAll(async () => {
  await Promise.all([redis.stop(), large.stop()]);
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
async function worker(name: string, env: Record<string, string> = {}): Promise<WorkerProcess> {
  const own = { COLONNADE_ROLE: 'worker', COLONNADE_SNAPSHOTS: disk(name) };
  const one = startWorkerProcess({ ...own, ...env });
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

/** A scan whose worker was ended in the middle. */
interface Begun {
  instanceId: string;
  jobId: string;
  checkpoint: ScanCheckpoint;
}
const checkpointOf = async (id: string) => (await getStoredJob(id))?.checkpoint as ScanCheckpoint | null;
const keysOf = (checkpoint?: ScanCheckpoint) => (checkpoint?.partitions ?? []).reduce((sum, p) => sum + p.keys, 0);

/**
 * Starts a worker with its own disk and kills it when `hasBegun` is true; no process that could continue the job runs
 * then.
 */
async function killedWhen(hasBegun: (checkpoint: ScanCheckpoint) => boolean, env = {}): Promise<Begun> {
  await startEngine();
  const first = await worker('one', env);
  const { id: instanceId } = await register('moves', large);
  const { id: jobId } = await startScan(LOCAL_ADMIN, instanceId, ScanOptions.parse({ speed: 'gentle' }));
  await until(
    'it to begin',
    async () => {
      const checkpoint = await checkpointOf(jobId);
      return checkpoint !== null && checkpoint !== undefined && hasBegun(checkpoint);
    },
    120_000,
  );
  await first.end('SIGKILL');
  const checkpoint = (await checkpointOf(jobId))!;
  expect(checkpoint.readingDone).toBe(false);
  return { instanceId, jobId, checkpoint };
}
const isStored = ({ portable }: ScanCheckpoint) => keysOf(portable) > 0;

/**
 * Another worker with another disk finishes the scan. Returns the id of the only snapshot, after checking that it is
 * complete.
 */
async function sealedElsewhere({ instanceId, jobId }: Begun, name = 'two'): Promise<string> {
  await large.client().call('CONFIG', 'RESETSTAT');
  await worker(name);
  await until('the scan', async () => (await stateOf(jobId)) === 'succeeded', 180_000);
  const rows = await listSnapshotRows(instanceId);
  expect(rows.map(({ state }) => state)).toEqual(['sealed']);
  const { id } = rows[0]!;
  await until('it to come', async () => (await getSnapshot(LOCAL_ADMIN, id)).keys > 0, 120_000);
  await bringKeys(id, { maxWaitMs: null });
  const manifest = await getSnapshot(LOCAL_ADMIN, id);
  const [found] = await withSource({ dir: snapshotFolder(id), manifest }, ({ query, keys }) =>
    query<{ rows: number; names: number }>(`SELECT count(*) AS rows, count(DISTINCT name) AS names FROM ${keys}`),
  );
  expect(found).toEqual({ rows: KEYS, names: KEYS });
  expect(manifest.coverage).toMatchObject({ keysRead: KEYS, duplicatesRemoved: 0, restarts: 0, partial: false });
  return id;
}
/** Number of keys that a scan reads to find out its permissions. */
const PROBES = 50;
/** Returns the number of keys whose facts were read since the previous worker was killed. */
async function keysAsked(): Promise<number> {
  const stats = await large.client().info('commandstats');
  return Number(/cmdstat_type:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

it('a scan whose worker was killed goes on on another disk, and reads nothing twice', async () => {
  const begun = await killedWhen(isStored);
  const read = keysOf(begun.checkpoint.portable);
  const id = await sealedElsewhere(begun);
  expect(id).toBe(begun.checkpoint.snapshotId);
  expect(read).toBeGreaterThan(0);
  expect(await keysAsked()).toBeLessThan(KEYS - read + PROBES);
  const place = () => (objectStore() as ObjectStore).list(`${scanPlace(id)}/`);
  await until('the parts to go', async () => (await place()).length === 0);
  // The first worker returns; what it had read is not needed any more.
  expect(existsSync(join(disk('one'), id))).toBe(true);
  await worker('one');
  await until('its parts to go', async () => !existsSync(join(disk('one'), id)));
});

it.runIf(LONG)(
  'a store that refused meanwhile has the scan begin anew on another disk, and leaves one snapshot',
  async () => {
    const proxy = await startTcpProxy(store.port);
    try {
      const answer = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
      proxy.spoil({ kind: 'answer', text: answer });
      const begun = await killedWhen((checkpoint) => keysOf(checkpoint) > 0, store.env(proxy.port));
      expect(begun.checkpoint.portable).toBeUndefined();
      // The data that the first worker read is on its own disk, which this worker cannot read.
      expect(await sealedElsewhere(begun)).not.toBe(begun.checkpoint.snapshotId);
    } finally {
      await proxy.close();
    }
  },
);

it.runIf(LONG)('a part that was damaged in the store has the scan begin anew: no snapshot is made of it', async () => {
  const begun = await killedWhen(isStored);
  const part = begun.checkpoint.portable!.partitions[0]!.parts[0]!;
  const found = readdirSync(store.folder, { recursive: true, encoding: 'utf8' });
  const file = join(store.folder, found.find((name) => name.includes(part) && name.endsWith('_object'))!);
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(file, bytes);
  const id = await sealedElsewhere(begun);
  expect(id).not.toBe(begun.checkpoint.snapshotId);
  expect(await keysAsked()).toBeGreaterThanOrEqual(KEYS);
  const left = () => (objectStore() as ObjectStore).list(`${begun.checkpoint.snapshotId}/`);
  await until('what was damaged to go', async () => (await left()).length === 0);
});

/** All keys are read and uploaded to the store; then the worker is killed after it has begun to seal. */
async function readToItsEnd(): Promise<Begun> {
  await startEngine();
  const first = await worker('one');
  const { id: instanceId } = await register('moves', large);
  const jobId = await pausedWhileSealing(instanceId);
  await first.end('SIGKILL');
  const checkpoint = (await checkpointOf(jobId))!;
  expect([checkpoint.portable?.readingDone, keysOf(checkpoint.portable)]).toEqual([true, KEYS]);
  await resumeJob(LOCAL_ADMIN, jobId);
  return { instanceId, jobId, checkpoint };
}

/**
 * Pauses the scan while it seals. On a busy machine the pause sometimes comes too late; then the sealed snapshot is
 * deleted and the scan is repeated.
 */
async function pausedWhileSealing(instanceId: string): Promise<string> {
  for (;;) {
    const { id } = await startScan(LOCAL_ADMIN, instanceId, ScanOptions.parse({ speed: 'gentle' }));
    // stateOf resumes what a busy machine has paused for its latency.
    const isRead = async () => (await stateOf(id)) === 'succeeded' || (await checkpointOf(id))?.readingDone === true;
    await until('it to be read', isRead, 120_000, 5);
    await pauseJob(LOCAL_ADMIN, id).catch(() => undefined);
    await until('it to stop', async () => /^(paused|succeeded)$/.test((await stateOf(id)) ?? ''));
    const { job } = (await getStoredJob(id))!;
    if (job.state === 'paused') return id;
    await removeSnapshot(LOCAL_ADMIN, job.snapshotId!);
  }
}

/** Before the folder is made there is none to read. */
const isSealing = (dir: string) => existsSync(dir) && readdirSync(dir).some((name) => name.startsWith('sealing-'));

/** A worker with another disk, which fetches the parts, and is killed while it seals them. */
async function killedWhileSealing(name: string, { jobId, checkpoint }: Begun): Promise<void> {
  const one = await worker(name);
  const dir = join(disk(name), checkpoint.snapshotId);
  await until('it to seal', async () => isSealing(dir), 120_000, 2);
  await one.end('SIGKILL');
  expect(JSON.parse(readFileSync(join(dir, 'snapshot.json'), 'utf8'))).toMatchObject({ state: 'live' });
  expect((await getStoredJob(jobId))?.job.state).toMatch(/^(running|waiting)$/);
}

it.runIf(LONG).each([
  ['the first one, which returns', 'one'],
  ['a third one', 'three'],
  ['itself, which returns', 'two'],
])(
  'a scan whose worker was killed while it sealed fetched parts is sealed by %s, without its server',
  async (_, name) => {
    const begun = await readToItsEnd();
    await killedWhileSealing('two', begun);
    expect(await sealedElsewhere(begun, name)).toBe(begun.checkpoint.snapshotId);
    expect(await keysAsked()).toBeLessThan(PROBES);
    const id = begun.checkpoint.snapshotId;
    const place = () => (objectStore() as ObjectStore).list(`${scanPlace(id)}/`);
    await until('the parts to go', async () => (await place()).length === 0);
    const others = ['one', 'two'].filter((other) => other !== name);
    for (const other of others) await worker(other);
    for (const other of others) await until(`what ${other} had to go`, async () => !existsSync(join(disk(other), id)));
    expect(existsSync(join(disk(name), id))).toBe(true);
  },
);

it.runIf(LONG).each([['two', 'three']])(
  'each of several workers (%s, %s) that are killed while they seal leaves it to the next',
  async (...names) => {
    const begun = await readToItsEnd();
    for (const name of names) await killedWhileSealing(name, begun);
    expect(await sealedElsewhere(begun, 'four')).toBe(begun.checkpoint.snapshotId);
    expect(await keysAsked()).toBeLessThan(PROBES);
  },
);
