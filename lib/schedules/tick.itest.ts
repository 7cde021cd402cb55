import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registerInstance } from '@/lib/instances/register-instance';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { InstanceInput } from '@/lib/model/servers/instance';
import { findJobs } from '@/lib/store/jobs';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';
import { temporaryData } from '@/test/temporary-data';
import { listScheduleRuns } from './list-schedules';
import { addSchedule } from './save-schedule';

const INSTANCES = 6;
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

/** Runs a process that ticks at `now`; resolves when it has ended. */
async function tickApart(now: number, dies?: 'due' | 'queued'): Promise<void> {
  const program = await bundledProgram('test/schedules/ticking-worker.ts', WITH_PACKAGES);
  const env = { ...process.env, COLONNADE_DATA: data.dir, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [program, String(now), ...(dies ? [dies] : [])], { env, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual(dies ? [null, 'SIGKILL'] : [0, null]);
}

it('two processes start each scan once, also after others were killed between due and job', async () => {
  for (let port = 1; port <= INSTANCES; port++) {
    const endpoints = [{ host: '127.0.0.1', port }];
    const input = { name: `r${port}`, topology: 'standalone', endpoints, tags: ['shop'] };
    await registerInstance(LOCAL_ADMIN, InstanceInput.parse(input));
  }
  const targets = { by: 'tags', tags: ['shop'] };
  const hourly = { name: 'hourly', cron: '0 * * * *', zone: 'UTC', targets, atOnce: 4 };
  const { nextAt } = await addSchedule(LOCAL_ADMIN, ScheduleInput.parse(hourly));
  await tickApart(nextAt!, 'due');
  expect((await listScheduleRuns(LOCAL_ADMIN, {})).map(({ state }) => state)).toEqual(Array(INSTANCES).fill('waiting'));
  await tickApart(nextAt!, 'queued');
  expect(await findJobs({ kind: 'scan' })).toEqual([]);
  await Promise.all([tickApart(nextAt!), tickApart(nextAt!)]);
  // As many as may run at once, and no instance twice.
  const jobs = await findJobs({ kind: 'scan' });
  expect(new Set(jobs.map(({ instanceId }) => instanceId)).size).toBe(4);
  expect(jobs).toHaveLength(4);
  const runs = await listScheduleRuns(LOCAL_ADMIN, {});
  expect(runs.map(({ state }) => state).toSorted()).toEqual([...Array(4).fill('started'), 'waiting', 'waiting']);
  expect(runs.flatMap(({ jobId }) => jobId ?? []).toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
});
