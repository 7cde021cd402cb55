import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { addUser } from '@/lib/access/users/manage-users';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { closeStore, runTransaction } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings/settings';
import { putPresence, removePresence } from '@/lib/store/workers';
import { LONG } from '@/test/long-form.mjs';
import { recordStatements } from '@/test/record-statements';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';
import { TestPostgres } from '@/test/servers/postgres';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { claimJobs } from './claim-jobs';
import { raiseMark } from './high-water-mark';
import type { JobKind } from './job-kind';
import { keepPresence } from './keep-presence';
import { MAX_GAP_MS, parkRestoredJobs } from './park-restored-jobs';
import { createProcessId, isProcessDead } from './process-id';
import { recoverJobs } from './recover-jobs';
import { createRunner } from './runner';

let data: ReturnType<typeof temporaryData>;
let children: ChildProcess[] = [];
let own: TestPostgres | null = null;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await data.remove();
  await own?.stop();
  own = null;
});

async function start(entry: string, ...args: string[]): Promise<ChildProcess> {
  const program = await bundledProgram(entry, WITH_PACKAGES);
  const env = { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}
const lines = (name: string) => {
  const file = join(data.dir, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const toy = (instanceId: string | null, params: unknown = {}) => ({
  kind: 'toy',
  instanceId,
  instanceName: instanceId,
  speed: 'gentle' as const,
  params,
});

const claim = (maxJobs: number, processId = 'o/1/x/y') => ({
  ...{ kinds: ['toy'], processId, leaseMs: 30_000 },
  ...{ limits: { labels: [] }, maxJobs },
});

/** Runs a query as another process would, because within a transaction no other query is allowed. */
const outside = AsyncLocalStorage.snapshot();

const CLAIMED = LONG ? 120 : 40;
it('processes that claim at once never hold one job together, and the audit chain of both holds', async () => {
  const ids = new Set<string>();
  for (let i = 0; i < CLAIMED; i++) ids.add((await createJob(LOCAL_ADMIN, toy(`i${i}`))).id);
  const startOne = () => start('test/jobs/claiming-worker.ts', join(data.dir, 'claims'));
  const workers = await Promise.all([startOne(), startOne(), startOne()]);
  const ended = workers.map(async (worker) => (await once(worker, 'exit'))[0]);
  await Promise.all(workers.map((worker) => once(worker.stdout as NodeJS.ReadableStream, 'data')));
  writeFileSync(join(data.dir, 'claims.go'), '');
  const codes = await Promise.all(ended);
  expect(codes).toEqual([0, 0, 0]);
  const claims = lines('claims').map((line) => line.split(' '));
  expect(claims).toHaveLength(CLAIMED);
  expect(new Set(claims.map(([id]) => id))).toEqual(ids);
  expect(new Set(claims.map(([, fence]) => fence))).toEqual(new Set(['1']));
  expect(new Set(claims.map(([, , pid]) => pid)).size).toBeGreaterThan(1);
  expect(await verifyAudit()).toEqual({ ok: true, rows: 2 * CLAIMED, firstBad: null, cutUpTo: 0 });
});

it('takes all jobs it has a place for in one turn, without waiting for one that somebody changes', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push((await createJob(LOCAL_ADMIN, toy(`i${i}`))).id);
  let letGo: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isLocked = false;
  const verb = runTransaction(async (tx) => {
    await getStoredJob(ids[2]!, tx);
    isLocked = true;
    await gate;
  });
  await expect.poll(() => isLocked).toBe(true);
  let claimed: string[] = [];
  const asked = await recordStatements(async () => {
    claimed = (await claimJobs(claim(5))).map(({ job }) => job.id);
  });
  expect(claimed).toEqual([0, 1, 3, 4, 5].map((i) => ids[i]));
  expect(asked).toHaveLength(2);
  for (const id of claimed)
    expect(await getStoredJob(id)).toMatchObject({
      job: { state: 'running', startedAt: expect.any(Number) },
      lease: { holder: 'o/1/x/y', fence: 1 },
    });
  letGo();
  await verb;
  expect(await claimJobs(claim(9))).toHaveLength(3);
});

it('of many that claim at the same moment each finds a job, and none waits for another', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push((await createJob(LOCAL_ADMIN, toy(`i${i}`))).id);
  const asked = await recordStatements(async () => {
    const claimed = await Promise.all(ids.map((_, i) => claimJobs(claim(1, `o/${i}/x/y`))));
    expect(claimed.map(([one]) => one?.job.id).toSorted()).toEqual(ids);
  });
  expect(asked.filter(({ sql }) => sql.includes('pg_advisory'))).toEqual([]);
  for (const id of ids) expect((await getStoredJob(id))?.lease.fence).toBe(1);
});

it('looks again a few times when all that waits is locked by others', async () => {
  const { id } = await createJob(LOCAL_ADMIN, toy('i1'));
  const asked = await runTransaction(async (tx) => {
    await getStoredJob(id, tx);
    return outside(() => recordStatements(async () => expect(await claimJobs(claim(1))).toEqual([])));
  });
  expect(asked.filter(({ sql }) => sql.includes('skip locked'))).toHaveLength(4);
  expect((await claimJobs(claim(1)))[0]?.job.id).toBe(id);
});

it('the database itself refuses a second active job of one instance and kind', async () => {
  const first = await createJob(LOCAL_ADMIN, toy('i1'));
  await updateJob(first.id, { state: 'paused' });
  await createJob(LOCAL_ADMIN, toy('i1'));
  await expect(updateJob(first.id, { state: 'queued' })).rejects.toMatchObject({ code: 'job_running' });
  await updateJob(first.id, { state: 'failed' });
});

it.runIf(process.platform === 'linux')('of one hostname elsewhere nobody is taken for dead', () => {
  const [place] = createProcessId().split('/');
  expect(isProcessDead(`${place}/4194303/1/x`)).toBe(true);
  expect(isProcessDead(`${hostname()}/4194303/1/x`)).toBe(false);
  expect(isProcessDead(`${hostname()}+another-boot+pid:[1]/4194303/1/x`)).toBe(false);
});

it('leases go by the clock of the database: a server two minutes ahead takes over nothing', async () => {
  const { id } = await createJob(LOCAL_ADMIN, toy('i1'));
  await claimJobs(claim(1, 'elsewhere/1/x/y'));
  const real = Date.now;
  const kinds = new Map<string, JobKind>([['toy', { kind: 'toy', run: async () => 'done' }]]);
  const here = { processId: createProcessId(), runningIds: new Set<string>() };
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => real() + 120_000);
  try {
    await recoverJobs(kinds, here);
    expect((await getStoredJob(id))?.job.state).toBe('running');
    await updateJob(id, { lease: { holder: 'elsewhere/1/x/y', fence: 1, until: real() - 1000 } });
    await recoverJobs(kinds, here);
    expect((await getStoredJob(id))?.job.state).toBe('queued');
  } finally {
    ahead.mockRestore();
  }
});

it('what waited long parks for a person only when nobody else was there, and what another one holds never', async () => {
  const destroy: JobKind = { kind: 'toy', isDestructive: true, run: async () => 'done', isAhead: async () => true };
  const waiting = await createJob(LOCAL_ADMIN, toy('i1'));
  await updateJob(waiting.id, { lease: { holder: 'elsewhere/1/x/y', fence: 1, until: Date.now() + 60_000 } });
  const self = { id: 'w', host: 'h', pid: 1, role: 'worker', version: '1', keyId: 'k', jobs: 1 } as const;
  await putPresence({ ...self, labels: [], running: 0 });
  await parkRestoredJobs([destroy]);
  expect((await getStoredJob(waiting.id))?.job.state).toBe('queued');

  const gap = { ...destroy, isAhead: async () => false };
  await updateJob(waiting.id, { lease: { holder: null, fence: 1, until: 0 } });
  await sqlByHand(`update jobs set updated_at = updated_at - ${2 * MAX_GAP_MS}`);
  await parkRestoredJobs([gap]);
  expect((await getStoredJob(waiting.id))?.job.state).toBe('queued');
  await removePresence('w');
  await parkRestoredJobs([gap]);
  expect((await getStoredJob(waiting.id))?.job).toMatchObject({ state: 'paused', reason: { code: 'store_gap' } });
});

const present = (id: string) =>
  keepPresence({ id, role: 'worker', labels: [], version: '1', keyId: 'k', jobs: 1 }, 60_000);
const destructive: JobKind = { kind: 'toy', isDestructive: true, run: async () => 'done' };
const readState = async (id: string) => (await getStoredJob(id))?.job;
async function waitedLong(instanceId: string): Promise<string> {
  const { id } = await createJob(LOCAL_ADMIN, toy(instanceId));
  await sqlByHand(`update jobs set updated_at = updated_at - ${2 * MAX_GAP_MS} where id = '${id}'`);
  return id;
}

it('after a gap what waited parks, however many start together; beside one that was there it waits its turn', async () => {
  const presences = [await present('a'), await present('b')];
  const waiting = await waitedLong('i1');
  const runner = createRunner({ kinds: [destructive], concurrency: 1, processId: 'a' });
  await runner.start();
  await runner.stop();
  expect(await readState(waiting)).toMatchObject({ state: 'paused', reason: { code: 'store_gap' } });
  // Both processes started before a check that has ended.
  const next = await waitedLong('i2');
  await parkRestoredJobs([destructive], [], 'b');
  expect((await readState(next))?.state).toBe('queued');
  await presences[0]?.stop();
  await parkRestoredJobs([destructive], [], 'b');
  expect(await readState(next)).toMatchObject({ state: 'paused', reason: { code: 'store_gap' } });
  await presences[1]?.stop();
});

it('a process that starts on a store which was put back ends who was signed in, though it is there itself', async () => {
  const user = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
  expect(user.link.token).toBeTruthy();
  await raiseMark();
  // The store has the value of an older dump, and the file next to it has a newer one.
  await sqlByHand("update settings set value = '0' where name = 'high_water_mark'");
  const presence = await present('a');
  const runner = createRunner({ kinds: [destructive], concurrency: 1, processId: 'a' });
  await runner.start();
  await runner.stop();
  expect((await listAudit(LOCAL_ADMIN, { action: 'store.restore' })).rows).toMatchObject([
    { subject: 'by hand', details: { evidence: 'ahead', links: 1 } },
  ]);
  await presence.stop();
});

it('the next job waits for no mark of the one before', async () => {
  const ids: string[] = [];
  for (const i of [1, 2]) ids.push((await createJob(LOCAL_ADMIN, toy(`i${i}`))).id);
  let verb: Promise<void> = Promise.resolve();
  let letGo: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let locks = 0;
  const kind: JobKind = {
    ...destructive,
    async run(context) {
      if (context.job.id !== ids[0]) return 'done';
      // Lock the row of the mark, as another process would that is suspended for a moment.
      verb = runTransaction(async (tx) => {
        await setSetting('high_water_mark', '5', tx);
        locks += 1;
        await gate;
      });
      await expect.poll(() => locks).toBe(1);
      return 'done';
    },
  };
  const runner = createRunner({ kinds: [kind], concurrency: 1, pollMs: 20 });
  await runner.start();
  await expect.poll(async () => (await readState(ids[1]!))?.state, { timeout: 30_000 }).toBe('running');
  expect((await readState(ids[0]!))?.state).toBe('succeeded');
  letGo();
  await verb;
  await expect.poll(async () => (await readState(ids[1]!))?.state, { timeout: 30_000 }).toBe('succeeded');
  await runner.stop();
});

it('kill -9 of the database: questions say so, the job waits, goes on, and nothing runs twice', async () => {
  own = await TestPostgres.start();
  process.env.COLONNADE_DATABASE_URL = own.url;
  const { id } = await createJob(LOCAL_ADMIN, {
    ...toy(null, { to: 150, file: join(data.dir, 'steps'), stepMs: 10 }),
    kind: 'count',
  });
  await start('test/jobs/counting-worker.ts', 'work');
  await expect.poll(() => lines('steps').length, { timeout: 60_000 }).toBeGreaterThan(20);
  await own.kill();
  await expect(getStoredJob(id)).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringContaining('cannot be reached'),
  });
  const before = lines('steps').length;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  // At most the step that had begun before the failure was noticed.
  expect(lines('steps').length - before).toBeLessThanOrEqual(1);
  expect(before).toBeLessThan(150);
  await own.restart();
  await expect.poll(async () => (await getStoredJob(id))?.job.state, { timeout: 120_000 }).toBe('succeeded');
  const steps = lines('steps').map((line) => Number(line.split(' ')[1]));
  expect(new Set(steps).size).toBe(150);
  // The step that was done and not yet in the checkpoint may have been done twice. All steps are in order, by one
  // runner after the other.
  expect(steps.length).toBeLessThanOrEqual(152);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  await closeStore();
});
