import { handle, WithId } from '@/lib/http/handle';
import { cancelJob } from '@/lib/jobs/cancel-job';

export const POST = handle(
  {
    summary: 'Cancel a job for good. What it left behind is deleted.',
    answer: 'job: the job as it is now.',
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    job: await cancelJob(actor, id),
  }),
);
