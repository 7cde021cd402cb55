import { once } from 'node:events';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/audit/verify-audit';
import { config } from '@/lib/config';
import { startEngine, stopEngine } from '@/lib/engine';
import { deepHealth } from '@/lib/jobs/health';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { getReport } from '@/lib/scans/get-report';
import { startScan } from '@/lib/scans/start-scan';
import { parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { getStoredJob } from '@/lib/store/jobs';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';
import { temporaryData } from '../temporary-data';
import { startWorkerProcess, stateOf, type WorkerProcess } from './fleet';
import { type VersionBefore, versionBefore } from './version-before';

/**
 * Servers first, then workers, one after the other: those of the version before go on while the tables become newer,
 * and what they let go of is taken by those of this version. This process is the server of this version.
 */
const KEYS = 200_000;
let before: VersionBefore;
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  before = await versionBefore();
  redis = await startRedis();
  await seedMixed(redis.client(), KEYS);
}, 300_000);
afterAll(async () => {
  await redis.stop();
  before.remove();
});
beforeEach(() => {
  data = temporaryData();
  process.env.COLONNADE_ROLE = 'web';
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await stopEngine();
  delete process.env.COLONNADE_ROLE;
  await data.remove();
});

async function worker(command?: string): Promise<WorkerProcess> {
  const one = startWorkerProcess({ COLONNADE_ROLE: 'worker' }, command);
  workers.push(one);
  await one.ready();
  return one;
}

/** Past the store, which brings the tables up to date as soon as it is asked. */
async function ask<Row>(text: string, ...values: string[]): Promise<Row[]> {
  const { schema, display: _, ...where } = parsePostgresUrl(config.databaseUrl?.reveal() ?? '');
  const client = new pg.Client({ ...where, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
const stepsDone = async () => (await ask<{ name: string }>('select name from migrations')).map(({ name }) => name);
const pidOf = async (id: string) => Number((await getStoredJob(id))?.lease.owner?.split('/')[1]);
const fast = ScanOptions.parse({ speed: 'fast' });

it('a worker of the version before ends its scan on newer tables, takes the next and hands one over', async () => {
  const { instance, job } = before.askForScan(redis.port);
  const old = await worker(before.command);
  const keysRead = async () => {
    const [row] = await ask<{ progress: string | null }>('select progress from jobs where id = $1', job);
    return JSON.parse(row?.progress ?? '{}').done ?? 0;
  };
  await expect.poll(keysRead, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
  expect(await stepsDone()).not.toContain(before.step);

  await startEngine();
  expect(await stepsDone()).toContain(before.step);
  expect(await stateOf(job)).toMatch(/running|waiting/);
  await expect.poll(() => stateOf(job), { timeout: 180_000, interval: 100 }).toBe('succeeded');
  // By one process from its beginning to its end.
  expect((await getStoredJob(job))?.lease.fence).toBe(1);
  const snapshot = (await getStoredJob(job))?.job.snapshotId as string;
  expect((await getReport(LOCAL_ADMIN, snapshot, 'overview', {})).report.keys).toBe(KEYS);

  // Asked for by this version, run by the one before.
  const second = await startScan(LOCAL_ADMIN, instance, fast);
  await expect.poll(() => stateOf(second.id), { timeout: 180_000, interval: 100 }).toBe('succeeded');
  expect((await deepHealth()).workers.filter(({ role }) => role === 'worker')).toMatchObject([{ pid: old.child.pid }]);

  const third = await startScan(LOCAL_ADMIN, instance, ScanOptions.parse({ speed: 'gentle' }));
  await expect.poll(() => pidOf(third.id), { timeout: 60_000 }).toBe(old.child.pid);
  const next = await worker();
  expect(await old.end('SIGTERM')).toBe(0);
  await expect.poll(() => pidOf(third.id), { timeout: 60_000 }).toBe(next.child.pid);
  await expect.poll(() => stateOf(third.id), { timeout: 180_000, interval: 100 }).toBe('succeeded');
  expect(await verifyAudit()).toMatchObject({ ok: true });

  const again = startWorkerProcess({ COLONNADE_ROLE: 'worker' }, before.command);
  workers.push(again);
  expect((await once(again.child, 'exit'))[0]).toBe(5);
  expect(again.said()).toContain(`newer version (${before.step})`);
}, 700_000);
