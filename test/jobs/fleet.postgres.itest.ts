import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { startEngine, stopEngine } from '@/lib/engine';
import { checkHealth } from '@/lib/jobs/health';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { watchJobs } from '@/lib/jobs/watch-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { LONG } from '../long-form.mjs';
import { runCommand } from '../servers/command';
import { commandFile } from '../servers/command-file';
import { TestPostgres } from '../servers/postgres';
import { type RedisServer, startRedis } from '../servers/redis';
import { seedMixed } from '../servers/seed';
import { temporaryData } from '../temporary-data';
import { readState, register, startWorkerProcess, type WorkerProcess } from './fleet';

/** Servers that serve pages and processes that run jobs, with one PostgreSQL and one folder. This process is `web`. */
let own: TestPostgres;
let servers: RedisServer[] = [];
let data: ReturnType<typeof temporaryData>;
let workers: WorkerProcess[] = [];
let databases = 0;

beforeAll(async () => {
  own = await TestPostgres.start();
  servers = await Promise.all([1, 2, 3, 4, 5].map(() => startRedis()));
  for (const server of servers) await seedMixed(server.client(), 3000);
}, 300_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await own.stop();
});
beforeEach(() => {
  data = temporaryData();
  process.env.COLONNADE_DATABASE_URL = `${own.url}?schema=f${++databases}`;
  process.env.COLONNADE_ROLE = 'web';
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  workers = [];
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
const fast = ScanOptions.parse({ speed: 'fast' });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Records which process held which job when, with a trigger of the database, so that no writer can be missed. */
async function watchLeases(): Promise<{ rows(): Promise<{ job: string; fence: number; owner: string }[]> }> {
  const schema = `f${databases}`;
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: own.url, options: `-c search_path=${schema}` });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  await ask('create table leases (seq bigserial, job text, fence bigint, owner text)');
  await ask(`create function note_lease() returns trigger language plpgsql as $$ begin
    insert into leases (job, fence, owner) values (new.id, new.lease_fence, new.lease_owner); return null; end $$`);
  await ask(`create trigger note_lease after update on jobs for each row
    when (new.lease_owner is not null) execute function note_lease()`);
  return {
    rows: async () =>
      (await ask('select job, fence, owner from leases order by seq')).map((row) => ({
        ...row,
        fence: Number(row.fence),
      })),
  };
}

/** Number of scans of each instance, one after the other. */
const TIMES = LONG ? 10 : 4;
async function scanAgainAndAgain(instanceId: string, done: string[]): Promise<void> {
  for (let i = 0; i < TIMES; i++) {
    const { id } = await again(() => startScan(LOCAL_ADMIN, instanceId, fast));
    await expect.poll(() => readState(id).catch(() => null), { timeout: 180_000, interval: 100 }).toBe('succeeded');
    done.push(id);
  }
}
/** Retries `act`, because the database may be unavailable at this moment. */
async function again<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if ((error as { code?: string }).code !== 'database_unreachable') throw error;
      await sleep(200);
    }
  }
}

it('many jobs over 5 instances, a worker and the database killed in between: all succeed, none is held by two', async () => {
  await startEngine();
  const instances = [];
  for (const [i, server] of servers.entries()) instances.push(await register(`redis ${i}`, server));
  const leases = await watchLeases();
  const [first, second] = [await worker(), await worker()];
  const done: string[] = [];
  const all = Promise.all(instances.map(({ id }) => scanAgainAndAgain(id, done)));

  await expect.poll(() => done.length, { timeout: 180_000 }).toBeGreaterThan(TIMES);
  const holders = async () => [...new Set((await leases.rows()).map(({ owner }) => owner.split('/')[1]))].toSorted();
  await expect.poll(holders).toEqual([first, second].map(({ child }) => String(child.pid)).toSorted());
  await first.end('SIGKILL');
  await worker();
  await expect.poll(() => done.length, { timeout: 180_000 }).toBeGreaterThan(2 * TIMES);
  await own.kill();
  await sleep(1500);
  await own.restart();
  await all;

  expect(new Set(done).size).toBe(5 * TIMES);
  const noted = await leases.rows();
  const owners = new Map<string, Set<string>>();
  const fences = new Map<string, number>();
  for (const { job, fence, owner } of noted) {
    const lease = `${job} ${fence}`;
    owners.set(lease, (owners.get(lease) ?? new Set()).add(owner));
    // A process with an older lease writes nothing once there is a newer lease.
    expect(fence).toBeGreaterThanOrEqual(fences.get(job) ?? 0);
    fences.set(job, fence);
  }
  expect([...owners.values()].filter((one) => one.size > 1)).toEqual([]);
  expect(done.filter((id) => !fences.has(id))).toEqual([]);
  const snapshots = await listSnapshotRows(null);
  for (const { id } of instances)
    expect(snapshots.filter((one) => one.instanceId === id && one.state === 'sealed')).toHaveLength(TIMES);
  expect(new Set(snapshots.filter(({ state }) => state === 'sealed').map(({ keys }) => keys)).size).toBe(1);
  expect(await verifyAudit()).toMatchObject({ ok: true });
}, 600_000);

describe('a worker', () => {
  it('begins within a second what was asked for, and the progress reaches who looks within a second', async () => {
    const instance = await register('redis', servers[0]!);
    await worker();
    const next = watchJobs(LOCAL_ADMIN);
    await next();
    const waited: number[] = [];
    for (let i = 0; i < 6; i++) {
      // The job is queued between two polls of the worker, which are two seconds apart.
      await sleep(300);
      const began = performance.now();
      const { id } = await startScan(LOCAL_ADMIN, instance.id, fast);
      let seen: string | undefined;
      while (seen === undefined || seen === 'queued') {
        seen = (await next()).items.find((job) => job.id === id)?.state ?? seen;
        await sleep(20);
      }
      waited.push(performance.now() - began);
      await expect.poll(() => readState(id), { timeout: 180_000 }).toBe('succeeded');
    }
    // The machine may pause during one or the other wait, so the median counts. Without notifications each would wait
    // for the next poll.
    expect(waited.toSorted((a, b) => a - b)[2]).toBeLessThan(1000);
  });

  it('told to leave hands its job back, and another one goes on at once', async () => {
    const large = await startRedis();
    await seedMixed(large.client(), 60_000);
    const instance = await register('redis', large);
    const both = [await worker(), await worker()];
    const { id } = await startScan(LOCAL_ADMIN, instance.id, ScanOptions.parse({ speed: 'gentle' }));
    const findHolder = async () => (await getStoredJob(id))?.lease.holder?.split('/')[1];
    await expect.poll(findHolder, { timeout: 60_000, interval: 20 }).toBeDefined();
    const holder = await findHolder();
    const first = both.find(({ child }) => String(child.pid) === holder)!;
    const second = both.find((one) => one !== first)!;
    expect(await first.end('SIGTERM')).toBe(0);
    // If the lease had to expire, this would take half a minute.
    await expect.poll(findHolder, { timeout: 20_000, interval: 20 }).toBe(String(second.child.pid));
    await expect.poll(() => readState(id), { timeout: 180_000 }).toBe('succeeded');
    // A process that ended properly is not listed as one that stopped responding.
    expect((await checkHealth()).workers.map(({ pid }) => pid)).toEqual([second.child.pid]);
    await large.stop();
  }, 400_000);

  it('takes only jobs whose label it has', async () => {
    const [plain, labelled] = [
      await register('plain', servers[0]!),
      await register('labelled', servers[1]!, { workerLabel: 'eu-west' }),
    ];
    await worker({ COLONNADE_WORKER_LABELS: 'us' });
    const far = await startScan(LOCAL_ADMIN, labelled.id, fast);
    const near = await startScan(LOCAL_ADMIN, plain.id, fast);
    await sleep(3000);
    expect([await readState(far.id), await readState(near.id)]).toEqual(['queued', 'queued']);
    await expect
      .poll(async () => [(await getJob(LOCAL_ADMIN, far.id)).reason, (await getJob(LOCAL_ADMIN, near.id)).reason])
      .toMatchObject([
        { code: 'no_worker_with_label', params: { label: 'eu-west' } },
        { code: 'no_worker_without_label' },
      ]);
    await worker({ COLONNADE_WORKER_LABELS: 'eu-west' });
    await expect.poll(() => readState(far.id), { timeout: 60_000 }).toBe('succeeded');
    expect(await readState(near.id)).toBe('queued');
    await worker({});
    await expect.poll(() => readState(near.id), { timeout: 60_000 }).toBe('succeeded');
  }, 400_000);

  it.runIf(LONG)(
    'waits for another one that reads the same node, which two instances name',
    async () => {
      const large = await startRedis();
      await seedMixed(large.client(), 80_000);
      const instances = [await register('address', large), await register('name', { ...large, host: 'localhost' })];
      const both = [await worker({ COLONNADE_JOBS: '1' }), await worker({ COLONNADE_JOBS: '1' })];
      const gentle = ScanOptions.parse({ speed: 'gentle' });
      const jobs: string[] = [];
      for (const { id } of instances) jobs.push((await startScan(LOCAL_ADMIN, id, gentle)).id);
      const held = () => Promise.all(jobs.map(async (id) => (await getStoredJob(id))!));
      const waiting = async () => (await held()).filter(({ job }) => job.reason?.code === 'node_busy');
      await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(1);
      const holders = (await held()).map(({ lease }) => lease.holder?.split('/')[1]);
      expect(holders.toSorted()).toEqual(both.map(({ child }) => String(child.pid)).toSorted());
      for (const id of jobs) await expect.poll(() => readState(id), { timeout: 180_000 }).toBe('succeeded');
      await large.stop();
    },
    400_000,
  );

  it('is listed with version, labels and its last sign of life, by the clock of the database', async () => {
    await startEngine();
    expect(await checkHealth()).toMatchObject({
      ok: false,
      engine: { ok: false },
      workers: [{ role: 'web', ok: true }],
    });
    const { child } = await worker({ COLONNADE_WORKER_LABELS: 'eu', COLONNADE_JOBS: '3' });
    const health = await checkHealth();
    expect(health).toMatchObject({ ok: true, engine: { ok: true, running: 0 } });
    expect(health.workers).toHaveLength(2);
    // The worker has a lower priority, so that pages go first if both run on one machine, whatever priority the tests
    // have.
    expect(getPriority(child.pid)).toBe(Math.max(5, getPriority()));
    expect(health.workers[1]).toMatchObject({ pid: child.pid, role: 'worker', labels: ['eu'], jobs: 3, ok: true });
    expect(health.workers[1]!.seenAgoMs).toBeLessThan(10_000);
    expect(JSON.stringify(health)).not.toContain('keyId');
  });

  it('is healthy for whoever asks beside it, until it is killed', async () => {
    const TMPDIR = mkdtempSync(join(tmpdir(), 'signs-'));
    const asked = () => runCommand(['worker', '--healthy'], { TMPDIR });
    expect(await asked()).toMatchObject({ code: 1, err: expect.stringContaining('No worker') });
    const one = await worker({ TMPDIR });
    await expect.poll(async () => (await asked()).code).toBe(0);
    expect((await asked()).out).toContain(String(one.child.pid));
    await one.end('SIGKILL');
    expect((await asked()).code).toBe(1);
  });
});

describe('a process is refused that', () => {
  const said = (env: Record<string, string>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [commandFile(), 'worker'], {
      env: { ...process.env, NODE_OPTIONS: '', COLONNADE_ROLE: '', ...env },
      encoding: 'utf8',
      timeout: 120_000,
    });
    return { status, text: stderr + stdout };
  };

  it('sees another folder, or one that lost its mark', async () => {
    await startEngine();
    const other = mkdtempSync(join(tmpdir(), 'colonnade-other-'));
    expect(said({ COLONNADE_DATA: other })).toMatchObject({
      status: 5,
      text: expect.stringMatching(/belongs to another data folder: in .* there is no colonnade\.id\. Mount the folder/),
    });
    writeFileSync(join(other, 'colonnade.id'), '0123456789abcdef\n');
    expect(said({ COLONNADE_DATA: other }).text).toContain('holds 0123456789abcdef, the database knows');
    rmSync(other, { recursive: true });
  });

  it('has another key than those that are there', async () => {
    await startEngine();
    expect(said({ COLONNADE_KEY: 'q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU' })).toMatchObject({
      status: 5,
      text: expect.stringMatching(/process \d+ on .* has another key/),
    });
  });

  it('has another key than the database was written with, also when nobody is there any more', async () => {
    await startEngine();
    await register('redis', servers[0]!);
    await stopEngine();
    const refused = said({ COLONNADE_KEY: 'q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU' });
    expect(refused).toMatchObject({
      status: 5,
      text: expect.stringMatching(
        /last written with the key [0-9a-f]{8}, which COLONNADE_KEY is not.*COLONNADE_KEY_OLD/,
      ),
    });
    expect(await verifyAudit()).toMatchObject({ ok: true });
  });

  it('shall share the embedded database', () => {
    expect(said({ COLONNADE_DATABASE_URL: '' })).toMatchObject({ status: 2, text: expect.stringContaining('SQLite') });
  });
});
