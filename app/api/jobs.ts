import { createEventStream } from '@/lib/http/event-stream';
import { handle } from '@/lib/http/handle';
import { cancelJob } from '@/lib/jobs/cancel-job';
import { listJobs } from '@/lib/jobs/list-jobs';
import { pauseJob } from '@/lib/jobs/pause-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { watchJobs } from '@/lib/jobs/watch-jobs';
import { SpeedChange } from '@/lib/model/job';
import { JobsQuery } from '@/lib/model/reports/file-query';

export const jobRoutes = [
  handle('GET /api/jobs', {
    summary: 'List the newest 200 jobs; active=1: only those that have not ended, ended=1: only those that have.',
    answer: 'jobs: newest first.',
    query: JobsQuery,
    act: async ({ actor, query: { instanceId, active, ended } }) => ({
      jobs: await listJobs(actor, { instanceId, active: active === '1', ended: ended === '1' }),
    }),
  }),
  handle('GET /api/jobs/events', {
    summary: 'Stream the changes of all jobs that you may see.',
    answer: 'Events named "job", each with the whole job.',
    contentType: 'text/event-stream',
    act: ({ actor, request, stillSignedIn }) =>
      createEventStream({ event: 'job', next: watchJobs(actor), signal: request.signal, alive: stillSignedIn }),
  }),
  handle('GET /api/jobs/{id}', {
    summary: 'One job.',
    answer: 'job: its state, progress, reason for waiting, and the load that it added.',
    act: async ({ actor, id }) => ({ job: await getJob(actor, id) }),
  }),
  handle('PATCH /api/jobs/{id}', {
    summary: 'Change the speed of a job, also while it runs.',
    answer: 'job: the job as it is now.',
    body: SpeedChange,
    act: async ({ actor, id, body }) => ({ job: await setJobSpeed(actor, id, body.speed) }),
  }),
  handle('POST /api/jobs/{id}/cancel', {
    summary: 'Cancel a job for good. What it left behind is deleted.',
    answer: 'job: the job as it is now.',
    act: async ({ actor, id }) => ({ job: await cancelJob(actor, id) }),
  }),
  handle('POST /api/jobs/{id}/pause', {
    summary: 'Pause a job: a running one at its next safe point, a queued one at once.',
    answer: 'job: the job as it is now.',
    act: async ({ actor, id }) => ({ job: await pauseJob(actor, id) }),
  }),
  handle('POST /api/jobs/{id}/resume', {
    summary: 'Resume a paused or failed job from its checkpoint.',
    answer: 'job: the job as it is now.',
    act: async ({ actor, id }) => ({ job: await resumeJob(actor, id) }),
  }),
];
