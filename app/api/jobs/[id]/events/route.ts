import { createEventStream } from '@/lib/http/event-stream';
import { handle, WithId } from '@/lib/http/handle';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { watchJob } from '@/lib/jobs/watch-jobs';

export const GET = handle(
  {
    summary: 'Stream the changes of one job until it ends.',
    answer: 'Events named "job", each with the whole job.',
    contentType: 'text/event-stream',
    params: WithId,
  },
  async ({ actor, params: { id }, request, stillSignedIn }) => {
    await getJob(actor, id);
    return createEventStream({ event: 'job', next: watchJob(actor, id), signal: request.signal, alive: stillSignedIn });
  },
);
