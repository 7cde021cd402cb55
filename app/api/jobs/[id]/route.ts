import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { Speed } from '@/lib/model/job';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({ job: await getJob(actor, id) }));

export const PATCH = handle({ params, body: z.object({ speed: Speed }) }, async ({ actor, params: { id }, body }) => ({
  job: await setJobSpeed(actor, id, body.speed),
}));
