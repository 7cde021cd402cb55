import { handle, WithId as params } from '@/lib/http/handle';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { SpeedChange } from '@/lib/model/job';

export const GET = handle(
  {
    summary: 'One job.',
    answer: 'job: its state, progress, reason for waiting, and the load that it added.',
    params,
  },
  async ({ actor, params: { id } }) => ({
    job: await getJob(actor, id),
  }),
);
export const PATCH = handle(
  {
    summary: 'Change the speed of a job, also while it runs.',
    answer: 'job: the job as it is now.',
    params,
    body: SpeedChange,
  },
  async ({ actor, params: { id }, body }) => ({
    job: await setJobSpeed(actor, id, body.speed),
  }),
);
