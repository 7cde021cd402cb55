import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { pauseJob } from '@/lib/jobs/pause-job';

export const POST = handle(
  { summary: 'Pause a job at its next checkpoint.', answer: 'The job as it is now.', params: z.object({ id: Id }) },
  async ({ actor, params: { id } }) => ({
    job: await pauseJob(actor, id),
  }),
);
