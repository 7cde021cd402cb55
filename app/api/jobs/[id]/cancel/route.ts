import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { cancelJob } from '@/lib/jobs/cancel-job';

export const POST = handle(
  { summary: 'Cancel a job.', answer: 'The job as it is now.', params: z.object({ id: Id }) },
  async ({ actor, params: { id } }) => ({
    job: await cancelJob(actor, id),
  }),
);
