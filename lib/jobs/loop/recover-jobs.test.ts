import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { recordStatements } from '@/test/record-statements';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import type { JobKind } from './job-kind';
import { createProcessId } from './process-id';
import { recoverJobs } from './recover-jobs';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const kinds = new Map<string, JobKind>([['toy', { kind: 'toy', run: async () => 'done' }]]);

it('takes over the oldest of many held jobs, and reads no checkpoint of those whose holder lives', async () => {
  const toy = { kind: 'toy', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  const { id } = await createJob(LOCAL_ADMIN, toy);
  await updateJob(id, {
    state: 'running',
    checkpoint: { at: 3 },
    lease: { holder: 'elsewhere/1/1/x', fence: 1, until: 1 },
  });
  const until = Date.now() + 3_600_000;
  await sqlByHand(`insert into jobs (id, kind, state, speed, params, checkpoint, actor, created_at, updated_at,
      lease_owner, lease_fence, lease_until)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 700)
    select 'z' || i, 'toy', 'running', 'gentle', 'null', '{"long":true}', 'x', ${until} + i, 1,
      'elsewhere/2/2/y', 1, ${until} from n`);
  const self = { processId: createProcessId(), runningIds: new Set<string>() };
  const asked = await recordStatements(() => recoverJobs(kinds, self));
  expect(asked.filter(({ sql }) => /^select \*/.test(sql)).map(({ parameters }) => parameters)).toEqual([[id], [id]]);
  expect(asked[0]?.sql).not.toContain('checkpoint');
  expect(await getStoredJob(id)).toMatchObject({ job: { state: 'queued' }, checkpoint: { at: 3 } });
});
