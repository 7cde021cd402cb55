import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { JobState } from '@/lib/model/job-states';
import { updateJob } from '@/lib/store/jobs';
import { temporaryData } from '@/test/temporary-data';
import { listenToJobs } from './listen-to-jobs';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('says when a job waits to be taken, not what its run shows of itself, nor that it has ended', async () => {
  let heard = 0;
  const toy = { kind: 'toy', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  // The first query creates the tables.
  await createJob(LOCAL_ADMIN, toy);
  const listener = listenToJobs(() => {
    heard += 1;
  });
  await expect.poll(() => heard).toBe(1);
  const { id } = await createJob(LOCAL_ADMIN, toy);
  await expect.poll(() => heard).toBe(2);
  const become = async (words: number, ...states: JobState[]) => {
    heard = 0;
    for (const state of states) await updateJob(id, { state });
    // Notifications arrive in the order of the commits, so a superfluous one has arrived when this one has.
    await createJob(LOCAL_ADMIN, toy);
    await expect.poll(() => heard).toBeGreaterThan(words);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toBe(words + 1);
  };
  await become(0, 'running', 'waiting', 'running', 'waiting', 'pausing');
  await become(0, 'paused');
  await become(1, 'queued');
  await become(0, 'running', 'cancelling', 'cancelled');
  await become(1, 'queued', 'running', 'succeeded');
  await become(2, 'queued', 'running', 'queued');
  await listener?.stop();
});
