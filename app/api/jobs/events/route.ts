import { createEventStream } from '@/lib/http/event-stream';
import { handle } from '@/lib/http/handle';
import { watchJobs } from '@/lib/jobs/watch-jobs';

export const GET = handle(
  {
    summary: 'Changes of all jobs as they happen.',
    answer: 'Events named "job", each one a job.',
    contentType: 'text/event-stream',
  },
  ({ actor, request, stillSignedIn }) =>
    createEventStream({ event: 'job', next: watchJobs(actor), signal: request.signal, alive: stillSignedIn }),
);
