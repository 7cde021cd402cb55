import { eventStream } from '@/lib/http/event-stream';
import { handle } from '@/lib/http/handle';
import { watchJobs } from '@/lib/jobs/watch-jobs';

export const GET = handle({}, ({ actor, request, stillSignedIn }) =>
  eventStream({ event: 'job', next: watchJobs(actor), signal: request.signal, alive: stillSignedIn }),
);
