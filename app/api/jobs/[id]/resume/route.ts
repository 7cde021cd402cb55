import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { resumeJob } from '@/lib/jobs/resume-job';

export const POST = handle(
  { summary: 'Resume a paused or failed job.', answer: 'The job as it is now.', params: z.object({ id: Id }) },
  async ({ actor, params: { id } }) => ({
    job: await resumeJob(actor, id),
  }),
);
