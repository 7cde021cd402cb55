import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { isEmergencyStopped } from '@/lib/deletions/executor/emergency-stop-state';
import { commandFile } from '@/test/servers/command-file';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { strikeAt } from './faults/hold-midway';
import { seedLarge } from './seed-large';
import { breakableLine, standPerTest } from './stand-per-test';

/**
 * Runs `colonnade panic` as an operator does in an emergency: in a separate process that shares only the data folder.
 */
const on = standPerTest();

// The command runs asynchronously, because the deletion continues in this process meanwhile.
function colonnade(...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [commandFile(), ...args]);
  const reported = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data) => {
      reported[name] += data;
    });
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...reported })));
}

it('stops a removal that runs in another process, loses nothing, and lets it go on when lifted', {
  timeout: 300_000,
}, async () => {
  const proxy = await breakableLine(on);
  await seedLarge(on.client, 'hash', 'big', 5_000);
  const id = await on.stand.plan([{ name: 'big', type: 'hash', length: 5_000 }], { mode: 'drain', speed: 'gentle' });
  const { held, started: job } = await strikeAt(proxy, { word: 'HDEL', after: 3, act: 'hold' }, () =>
    on.stand.start(id),
  );
  expect(await colonnade('panic')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Emergency stop set by .*panic/i),
  });
  await expect.poll(() => isEmergencyStopped(on.stand.instanceId), { timeout: 60_000 }).toBe(true);
  held.release();
  await on.stand.until(job, ['paused']);
  const left = async () => {
    const names = (await on.client.keys('*')).filter((name) => name.includes('big') || name.includes('trash'));
    return Promise.all(names.map((name) => on.client.hlen(name)));
  };
  const before = await left();
  expect(before.reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
  // Nothing is written while the stop is in effect, and a job that is resumed stops again.
  await resumeJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['paused']);
  expect(await left()).toEqual(before);

  expect(await colonnade('panic', '--lift')).toMatchObject({ status: 0, stdout: expect.stringContaining('Resume') });
  expect((await colonnade('panic', '--lift')).stdout).toMatch(/^There was no emergency stop/);
  await resumeJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['succeeded'], 240_000);
  expect(await left()).toEqual([]);
});

it('says how it is called when it is called otherwise', async () => {
  const { status, stderr } = await colonnade('panic', '--now');
  expect(status).toBe(2);
  expect(stderr).toContain('--now');
});
