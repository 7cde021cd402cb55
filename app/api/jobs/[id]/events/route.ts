import { z } from 'zod';
import { createEventStream } from '@/lib/http/event-stream';
import { handle, Id } from '@/lib/http/handle';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { watchJob } from '@/lib/jobs/watch-jobs';

export const GET = handle(
  {
    summary: 'Changes of one job until it ends.',
    answer: 'Events named "job".',
    contentType: 'text/event-stream',
    params: z.object({ id: Id }),
  },
  async ({ actor, params: { id }, request, stillSignedIn }) => {
    await getJob(actor, id);
    return createEventStream({ event: 'job', next: watchJob(actor, id), signal: request.signal, alive: stillSignedIn });
  },
);
