import { expect, it } from 'vitest';
import { emergencyStop } from '@/lib/deletions/emergency-stop-verbs';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { updateJob } from '../../lib/store/jobs';
import { untilHeard } from '../deletions/faults/finish-job';
import { seedLarge } from '../deletions/seed-large';
import { standWithProxy } from '../deletions/stand-per-test';
import { sleep } from '../servers/process';

/** A deletion that was paused and undone must not continue afterwards. */
const on = standWithProxy();
const N = 3000;
const NAMES = ['app:0', 'app:1', 'app:2'];

/** Pauses while the first key is being deleted, before the others are reached. */
async function pausedMidway(): Promise<{ id: string; job: string }> {
  for (const name of NAMES) await seedLarge(on.client, 'hash', name, N);
  const keys = NAMES.map((name) => ({ name, type: 'hash', length: N, bytes: 5_000_000 }));
  const id = await on.stand.plan(keys);
  const struck = on.proxy.strike({ word: 'HDEL', after: 2, act: 'hold' });
  const job = await on.stand.start(id);
  const held = await struck;
  await pauseJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await on.stand.until(job, ['paused']);
  return { id, job };
}
async function undone(id: string): Promise<string> {
  const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
  await on.stand.until(job?.id ?? '', ['succeeded']);
  return job?.id ?? '';
}

it('undo ends the paused run: it cannot be resumed, and nothing is removed any more', async () => {
  const { id, job } = await pausedMidway();
  await undone(id);
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  await expect(resumeJob(LOCAL_ADMIN, job)).rejects.toMatchObject({ code: 'conflict' });
  await sleep(500);
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  expect(await getDeletion(LOCAL_ADMIN, id)).toMatchObject({ state: 'cancelled', action: 'undo' });
});

it('so does the undo of a run that failed', async () => {
  const { id, job } = await pausedMidway();
  await updateJob(job, { state: 'failed', reason: null, endedAt: Date.now() });
  await undone(id);
  await expect(resumeJob(LOCAL_ADMIN, job)).rejects.toMatchObject({ code: 'conflict' });
  await sleep(300);
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
});

it('an undo that was refused ends nothing', async () => {
  const { id, job } = await pausedMidway();
  await emergencyStop(LOCAL_ADMIN, {});
  await expect(undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false })).rejects.toMatchObject({ code: 'panic' });
  expect((await on.stand.until(job, ['paused']))?.job.state).toBe('paused');
});

it('the stop and the page of a deletion find the job that runs, whichever the deletion names', async () => {
  const { id, job } = await pausedMidway();
  // Another job of the same deletion has run meanwhile, as a purge does.
  const other = await on.stand.start(id, 'purge');
  await on.stand.until(other, ['succeeded']);
  const struck = on.proxy.strike({ word: 'HDEL', act: 'hold' });
  await resumeJob(LOCAL_ADMIN, job);
  const held = await struck;
  await on.stand.until(job, ['running', 'waiting']);
  expect((await getDeletion(LOCAL_ADMIN, id)).job?.id).toBe(job);
  await emergencyStop(LOCAL_ADMIN, { deletionId: id });
  await untilHeard(job);
  held.release();
  await on.stand.until(job, ['paused']);
  expect((await getDeletion(LOCAL_ADMIN, id)).job?.id).toBe(job);
  // No job runs any more, and a second stop is no error.
  await emergencyStop(LOCAL_ADMIN, { deletionId: id });
  await cancelJob(LOCAL_ADMIN, job);
  await emergencyStop(LOCAL_ADMIN, { deletionId: id });
  // Cancelling is recognized by the cancelled job, not by the job that the deletion currently names.
  await expect.poll(async () => (await getDeletion(LOCAL_ADMIN, id)).state).toBe('cancelled');
});
