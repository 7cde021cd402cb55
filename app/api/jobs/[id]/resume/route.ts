import { handle, WithId } from '@/lib/http/handle';
import { resumeJob } from '@/lib/jobs/resume-job';

export const POST = handle(
  {
    summary: 'Resume a paused or failed job from its checkpoint.',
    answer: 'job: the job as it is now.',
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    job: await resumeJob(actor, id),
  }),
);
