import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { count } from '@/test/jobs/counting-worker';
import { LONG } from '@/test/long-form.mjs';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';
import { temporaryData } from '@/test/temporary-data';
import { createRunner } from './runner';

/** Tests with real processes on one store, which are killed, suspended and stopped. */
/** Each step takes ten milliseconds or more, so that a job lasts longer than this process may be suspended. */
const STEPS = LONG ? 400 : 250;
let data: ReturnType<typeof temporaryData>;
let children: ChildProcess[] = [];
beforeEach(() => {
  data = temporaryData();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await data.remove();
});

async function startWorker(): Promise<ChildProcess> {
  const program = await bundledProgram('test/jobs/counting-worker.ts', WITH_PACKAGES);
  const child = spawn(process.execPath, [program, 'work'], {
    env: { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}
const file = () => join(data.dir, 'steps');
const steps = () => {
  try {
    return readFileSync(file(), 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ').map(Number));
  } catch {
    return [];
  }
};
const newJob = (to: number, stepMs = 10) =>
  createJob(LOCAL_ADMIN, {
    kind: 'count',
    instanceId: null,
    instanceName: null,
    speed: 'gentle',
    params: { to, file: file(), stepMs },
  });
const isStopped = (child: ChildProcess) =>
  process.platform === 'linux'
    ? /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'))
    : execFileSync('ps', ['-o', 'state=', '-p', String(child.pid)], { encoding: 'utf8' }).startsWith('T');
const readState = async (id: string) => (await getStoredJob(id))?.job.state;

describe('a runner that dies', () => {
  it('kill -9: the next one goes on at once from the checkpoint and loses nothing', async () => {
    const { id } = await newJob(STEPS);
    const first = await startWorker();
    await expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(20);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const done = steps().length;
    expect(done).toBeLessThan(STEPS);
    // The lease of a dead holder is taken over before it expires.
    const { lease } = (await getStoredJob(id))!;
    const runner = createRunner({ kinds: [count], concurrency: 1, pollMs: 20, tickMs: 50 });
    await runner.start();
    await expect.poll(() => steps().length, { timeout: 25_000 }).toBeGreaterThan(done);
    expect(Date.now()).toBeLessThan(lease.until!);
    await expect.poll(() => readState(id), { timeout: 60_000 }).toBe('succeeded');
    await runner.stop();
    const all = steps().map(([, step]) => step);
    expect([...new Set(all)]).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    // At most one step was done twice: the one that was done and not yet in the checkpoint.
    expect(all.length).toBeLessThanOrEqual(STEPS + 1);
    expect((await getStoredJob(id))?.lease.fence).toBe(2);
  });

  it('a living one beside it takes over while it runs', async () => {
    const workers = await Promise.all([startWorker(), startWorker()]);
    const { id } = await newJob(STEPS);
    await expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(10);
    expect(new Set(steps().map(([pid]) => pid)).size).toBe(1);
    workers.find(({ pid }) => pid === steps()[0]![0])!.kill('SIGKILL');
    await expect.poll(() => readState(id), { timeout: 60_000 }).toBe('succeeded');
    expect(new Set(steps().map(([pid]) => pid)).size).toBe(2);
    expect(new Set(steps().map(([, step]) => step)).size).toBe(STEPS);
  });

  it('a frozen one that wakes after its job went elsewhere writes nothing more', async () => {
    const { id } = await newJob(STEPS);
    const first = await startWorker();
    await expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(10);
    // The process is suspended while this test has the write lock, so that the process cannot have it. A process that
    // was suspended with the lock would block all others.
    await runTransaction(async (tx) => {
      first.kill('SIGSTOP');
      await expect.poll(() => isStopped(first)).toBe(true);
      // The lease is set to expired, as if 30 s had passed.
      const stored = await getStoredJob(id, tx);
      await updateJob(id, { lease: { ...stored!.lease, until: 0 } }, tx);
    });
    await startWorker();
    await expect.poll(() => new Set(steps().map(([pid]) => pid)).size, { timeout: 60_000 }).toBe(2);
    first.kill('SIGCONT');
    await expect.poll(() => readState(id), { timeout: 60_000 }).toBe('succeeded');
    const bySecond = steps()
      .filter(([pid]) => pid !== first.pid)
      .map(([, step]) => step);
    expect(new Set(steps().map(([, step]) => step)).size).toBe(STEPS);
    // The steps of the second runner are in order: the first one did not reset its checkpoint.
    expect(bySecond).toEqual([...bySecond].sort((a, b) => a! - b!));
    const afterWaking = steps().filter(([pid]) => pid === first.pid).length;
    expect(afterWaking + bySecond.length).toBeLessThanOrEqual(STEPS + 3);
  });

  it('locked out of the store by another process: the job goes on from its checkpoint', async () => {
    const { id } = await newJob(STEPS);
    await startWorker();
    await expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(10);
    // SQLite waits 5 s for a lock, and longer on a busy machine. The tick may wait for the lock before the checkpoint
    // does.
    const postgres = process.env.COLONNADE_TEST_POSTGRES !== undefined;
    const before = steps().length;
    await runTransaction(async () => {
      if (postgres) return expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
      await expect.poll(() => existsSync(`${file()}.refused`), { timeout: 60_000 }).toBe(true);
    });
    await expect.poll(() => readState(id), { timeout: 60_000 }).toBe('succeeded');
    const all = steps().map(([, step]) => step);
    expect(new Set(all).size).toBe(STEPS);
    expect(all.length).toBeLessThanOrEqual(STEPS + 1);
    // SQLite refused the write, so the job was queued and claimed again. PostgreSQL locks rows, so a runner does not
    // wait for a verb.
    expect((await getStoredJob(id))?.lease.fence).toBe(postgres ? 1 : 2);
  });

  it('SIGTERM: it leaves in time and the job waits in the queue, not for a lease', async () => {
    const { id } = await newJob(1000);
    const first = await startWorker();
    await expect.poll(() => steps().length, { timeout: 60_000 }).toBeGreaterThan(5);
    first.kill('SIGTERM');
    const [code] = await once(first, 'exit');
    expect(code).toBe(0);
    expect(await getStoredJob(id)).toMatchObject({ job: { state: 'queued' }, lease: { holder: null } });
  });
});
