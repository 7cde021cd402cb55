import { handle } from '@/lib/http/handle';
import { listJobs } from '@/lib/jobs/list-jobs';
import { JobsQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'List the newest 200 jobs; active=1: only those that have not ended, ended=1: only those that have.',
    answer: 'jobs: newest first.',
    query: JobsQuery,
  },
  async ({ actor, query: { instanceId, active, ended } }) => ({
    jobs: await listJobs(actor, { instanceId, active: active === '1', ended: ended === '1' }),
  }),
);
