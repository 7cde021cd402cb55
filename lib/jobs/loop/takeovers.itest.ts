import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';
import { temporaryData } from '@/test/temporary-data';
import type { JobKind } from './job-kind';
import { createProcessId } from './process-id';
import { MAX_TAKEOVERS, recoverJobs } from './recover-jobs';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const newJob = (kind: string, params: unknown = null) =>
  createJob(LOCAL_ADMIN, { kind, instanceId: null, instanceName: null, speed: 'gentle', params });

/** Starts a worker again whenever it ends, until `enough` returns true; returns how often it ended. */
async function startAgainUntil(enough: () => Promise<boolean>): Promise<number> {
  const program = await bundledProgram('test/jobs/deadly-worker.ts', WITH_PACKAGES);
  for (let deaths = 0; ; deaths++) {
    const env = { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' };
    const child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
    const ended = once(child, 'exit').then(() => true);
    for (let over = false; !over; ) {
      over = await Promise.race([ended, new Promise<false>((resolve) => setTimeout(() => resolve(false), 50))]);
      if (over || !(await enough())) continue;
      child.kill('SIGKILL');
      await ended;
      return deaths;
    }
  }
}

it('a job that ends its process is tried five times, then a person is asked; resumed, it is tried again', async () => {
  const { id } = await newJob('deadly', { at: 3 });
  const paused = async () => (await getStoredJob(id))?.job.state === 'paused';
  // The first process reached step three, and no later one went further.
  expect(await startAgainUntil(paused)).toBe(MAX_TAKEOVERS);
  expect(await getStoredJob(id)).toMatchObject({
    job: { state: 'paused', reason: { code: 'interrupted_often', params: { times: MAX_TAKEOVERS } } },
    lease: { holder: null },
    checkpoint: { at: 3 },
  });
  expect(await resumeJob(LOCAL_ADMIN, id)).toMatchObject({ state: 'queued', reason: null });
  expect((await getStoredJob(id))?.takeovers).toBeNull();
}, 400_000);

it('one that has come further is counted from there, by its checkpoint or by what its kind says', async () => {
  let step = 0;
  const kinds = new Map<string, JobKind>([
    ['saves', { kind: 'saves', run: async () => 'done' }],
    ['says', { kind: 'says', run: async () => 'done', describeProgress: async () => String(step) }],
  ]);
  const self = { processId: createProcessId(), runningIds: new Set<string>() };
  const [saves, says] = [await newJob('saves'), await newJob('says')];
  const dies = async () => {
    for (const { id } of [saves, says])
      await updateJob(id, { state: 'running', lease: { holder: 'elsewhere/1/1/x', fence: 1, until: 1 } });
    await recoverJobs(kinds, self);
    return Promise.all(
      [saves, says].map(async ({ id }) => {
        const stored = await getStoredJob(id);
        return `${stored?.job.state} ${stored?.takeovers?.count}`;
      }),
    );
  };
  for (let times = 1; times < MAX_TAKEOVERS; times++)
    expect(await dies()).toEqual([`queued ${times}`, `queued ${times}`]);
  step++;
  await updateJob(saves.id, { checkpoint: { step } });
  expect(await dies()).toEqual(['queued 1', 'queued 1']);
  for (let times = 2; times < MAX_TAKEOVERS; times++) await dies();
  expect(await dies()).toEqual([`paused ${MAX_TAKEOVERS}`, `paused ${MAX_TAKEOVERS}`]);
});

it('what ended its processes days apart does not count together', async () => {
  const kinds = new Map<string, JobKind>([['long', { kind: 'long', run: async () => 'done' }]]);
  const { id } = await newJob('long');
  const dies = async () => {
    await updateJob(id, { state: 'running', lease: { holder: 'elsewhere/1/1/x', fence: 1, until: 1 } });
    await recoverJobs(kinds, { processId: createProcessId(), runningIds: new Set<string>() });
    return (await getStoredJob(id))?.takeovers ?? null;
  };
  for (let times = 1; times < MAX_TAKEOVERS; times++) expect((await dies())?.count).toBe(times);
  const takeovers = (await getStoredJob(id))!.takeovers!;
  await updateJob(id, { takeovers: { ...takeovers, since: Date.now() - 25 * 3_600_000 } });
  expect((await dies())?.count).toBe(1);
});
