import { inFormatAndOrder } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { exportJobs } from '@/lib/jobs/export-jobs';
import { listJobs } from '@/lib/jobs/list-jobs';
import { JobsQuery } from '@/lib/model/reports/file-query';

export const GET = handle({ query: JobsQuery }, ({ actor, query, ...asked }) => {
  const { instanceId, active, ended, format, ...order } = query;
  const filter = { instanceId, active: active === '1', ended: ended === '1' };
  const jobs = async () => ({ jobs: await listJobs(actor, filter) });
  return inFormatAndOrder(asked, { format, order }, jobs, (shape) => exportJobs(actor, filter, shape));
});
