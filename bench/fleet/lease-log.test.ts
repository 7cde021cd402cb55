import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { claimJobs } from '@/lib/jobs/loop/claim-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { updateJob } from '@/lib/store/jobs';
import { getStoreFile } from '@/lib/store/open-store';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { LeaseLog } from './lease-log';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('the embedded database notes who held what, by its own clock, and which steps are there', async () => {
  const toy = { kind: 'short', instanceId: null, instanceName: null, speed: 'fast', params: null } as const;
  const { id, createdAt } = await createJob(LOCAL_ADMIN, toy);
  const log = await LeaseLog.onSqlite(getStoreFile());
  await claimJobs({ kinds: ['short'], processId: 'host/77/x/y', leaseMs: 30_000, limits: { labels: [] }, maxJobs: 1 });
  await updateJob(id, { progress: null });
  await updateJob(id, { state: 'succeeded', lease: { holder: null, fence: 1, until: 0 } });
  await sqlByHand(
    `insert into fleet_effects (job, step, pid) values ('${id}', 0, 77), ('${id}', 1, 77), ('${id}', 1, 78)`,
  );
  const events = await log.events();
  expect(events).toMatchObject([
    { job: id, state: 'running', fence: 1, pid: 77, owner: 'host/77/x/y' },
    { job: id, state: 'succeeded', fence: 1, pid: null, owner: null },
  ]);
  for (const { atMs } of events) expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000);
  expect(await log.repeatedEffects()).toEqual([`${id} 1`]);
  expect(await log.jobs()).toEqual([{ id, kind: 'short', state: 'succeeded', createdMs: createdAt, steps: 2 }]);
});
