import { createEventStream } from '@/lib/http/event-stream';
import { handle } from '@/lib/http/handle';
import { watchJobs } from '@/lib/jobs/watch-jobs';

export const GET = handle(
  {
    summary: 'Stream the changes of all jobs that you may see.',
    answer: 'Events named "job", each with the whole job.',
    contentType: 'text/event-stream',
  },
  ({ actor, request, stillSignedIn }) =>
    createEventStream({ event: 'job', next: watchJobs(actor), signal: request.signal, alive: stillSignedIn }),
);
