import { inFormatAndOrder } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { exportJobNodes } from '@/lib/jobs/export-job-nodes';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { SpeedChange } from '@/lib/model/job';
import { JobFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'One job: state, progress, reason for waiting, load added. A file has its nodes.',
    answer: 'The job as it is now, or the file.',
    params,
    query,
  },
  ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
    const job = async () => ({ job: await getJob(actor, id) });
    return inFormatAndOrder(asked, { format, order }, job, (shape) => exportJobNodes(actor, id, shape));
  },
);
export const PATCH = handle(
  { summary: 'Change the speed, also while it runs.', answer: 'The job as it is now.', params, body: SpeedChange },
  async ({ actor, params: { id }, body }) => ({
    job: await setJobSpeed(actor, id, body.speed),
  }),
);
