import { inFormatAndOrder } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { exportJobs } from '@/lib/jobs/export-jobs';
import { listJobs } from '@/lib/jobs/list-jobs';
import { JobsQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary:
      'The newest 200 jobs; active=1: those that have not ended, ended=1: those that have. A file has 10,000, sorted by a column of the page.',
    answer: 'jobs, or the file.',
    query: JobsQuery,
  },
  ({ actor, query, ...asked }) => {
    const { instanceId, active, ended, format, ...order } = query;
    const filter = { instanceId, active: active === '1', ended: ended === '1' };
    const jobs = async () => ({ jobs: await listJobs(actor, filter) });
    return inFormatAndOrder(asked, { format, order }, jobs, (shape) => exportJobs(actor, filter, shape));
  },
);
