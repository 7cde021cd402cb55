import { handle } from '@/lib/http/handle';
import { listJobs } from '@/lib/jobs/list-jobs';
import { JobsQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'The newest 200 jobs; active=1: those that have not ended, ended=1: those that have.',
    answer: 'jobs.',
    query: JobsQuery,
  },
  async ({ actor, query: { instanceId, active, ended } }) => ({
    jobs: await listJobs(actor, { instanceId, active: active === '1', ended: ended === '1' }),
  }),
);
