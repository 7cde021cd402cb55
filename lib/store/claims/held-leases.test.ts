import { afterEach, beforeEach, expect, it } from 'vitest';
import { explainPlan, recordStatements } from '@/test/record-statements';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { findJobs, updateJob } from '../jobs';
import { getDb } from '../open-store';
import { findJobsToDiscard } from './held-leases';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('what ended jobs left is found by an index of its own, however many have ended', async () => {
  await getDb(undefined);
  await sqlByHand(`insert into jobs
      (id, kind, state, speed, params, checkpoint, actor, created_at, updated_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
    select 'j' || i, 'scan', 'cancelled', 'gentle', 'null', '${'0'.repeat(8192)}', 'x', i, i from n`);
  expect(await findJobsToDiscard(['scan'])).toEqual([]);
  for (const analyzed of [false, true]) {
    if (analyzed) await sqlByHand('analyze jobs');
    const [asked] = await recordStatements(() => findJobsToDiscard(['scan', 'deletion', 'leftovers']));
    expect(await explainPlan(asked!)).toContain('jobs_to_discard');
  }
  await updateJob('j7', { discardPending: true });
  const lease = { holder: null, fence: 0, until: 0 };
  expect(await findJobsToDiscard(['scan'])).toEqual([{ id: 'j7', lease }]);
  expect(await findJobsToDiscard(['deletion'])).toEqual([]);
});

it('the list of all jobs, newest first, is read off an index, however many have ended', async () => {
  await getDb(undefined);
  await sqlByHand(
    `insert into jobs (id, kind, state, speed, params, actor, created_at, updated_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
    select 'j' || i, 'scan', 'succeeded', 'gentle', 'null', 'x', i / 2, i from n`,
    'analyze jobs',
  );
  let ids: string[] = [];
  const [asked] = await recordStatements(async () => {
    ids = (await findJobs({ limit: 200 })).map(({ id }) => id);
  });
  expect(ids).toHaveLength(200);
  expect(ids.slice(0, 3)).toEqual(['j5000', 'j4999', 'j4998']);
  const plan = await explainPlan(asked!);
  expect(plan).toContain('jobs_by_age');
  expect(plan).not.toMatch(/Sort|TEMP B-TREE/);
});
