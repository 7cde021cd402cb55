import { afterEach, beforeEach, expect, it } from 'vitest';
import { sqlByHand } from '@/test/sql-by-hand';
import { planOf, statementsOf } from '@/test/statements-of';
import { temporaryData } from '@/test/temporary-data';
import { takeQueued, viewForClaim } from './claims';
import { dbOf } from './open-store';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('a claim walks over no ended job, and gives the first of those it may take', async () => {
  await dbOf(undefined);
  await sqlByHand(
    `insert into jobs (id, kind, state, speed, params, actor, created_at, updated_at, started_at)
    select 'j' || i, 'scan', case when i > 19990 then 'queued' else 'succeeded' end, 'gentle', 'null', 'x', i, i,
      case when i = 19993 then 7 end from generate_series(1, 20000) as n (i)`,
    'analyze jobs',
  );
  let seen: string[] = [];
  const [view] = await statementsOf(async () => {
    seen = (await viewForClaim(['scan'], ['running', 'waiting'])).queued.map(({ id }) => id);
  });
  expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => `j${19_991 + i}`));
  expect(await planOf(view!)).not.toMatch(/jobs_by_age|Seq Scan on jobs/);
  await sqlByHand("update jobs set state = 'paused' where id = 'j19992'");
  const order = ['j19992', 'j19993', 'j19991', 'j19994'];
  const taken = await takeQueued(order, 2, { owner: 'o', leaseMs: 1000 });
  expect(taken.map(({ job }) => job.id)).toEqual(['j19993', 'j19991']);
  expect(taken[0]).toMatchObject({ job: { state: 'running', startedAt: 7 }, lease: { owner: 'o', fence: 1 } });
  expect(taken[1]?.job.startedAt).toBeGreaterThan(19_991);
  expect(await takeQueued(order, 0, { owner: 'o', leaseMs: 1000 })).toEqual([]);
});
