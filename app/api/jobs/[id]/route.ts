import { inFormatAndOrder } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { exportJobNodes } from '@/lib/jobs/export-job-nodes';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { SpeedChange } from '@/lib/model/job';
import { JobFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params, query }, ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
  const job = async () => ({ job: await getJob(actor, id) });
  return inFormatAndOrder(asked, { format, order }, job, (shape) => exportJobNodes(actor, id, shape));
});
export const PATCH = handle({ params, body: SpeedChange }, async ({ actor, params: { id }, body }) => ({
  job: await setJobSpeed(actor, id, body.speed),
}));
