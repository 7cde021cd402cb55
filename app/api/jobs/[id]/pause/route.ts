import { handle, WithId } from '@/lib/http/handle';
import { pauseJob } from '@/lib/jobs/pause-job';

export const POST = handle(
  {
    summary: 'Pause a job: a running one at its next safe point, a queued one at once.',
    answer: 'job: the job as it is now.',
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    job: await pauseJob(actor, id),
  }),
);
