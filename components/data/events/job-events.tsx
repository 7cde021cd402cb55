import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SessionInfo } from '@/lib/model/accounts/accounts';
import type { Job } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import { api } from '../api';
import { queryKeys } from '../query-keys';
import { toSignIn } from '../to-sign-in';
import { missSecond, noteHeartbeat, SILENT_AFTER_SECONDS } from './heartbeat';

/** Below the time after which the server counts as silent: one that refuses the stream answers by then. */
const MAX_WAIT_MS = 2_000;

/**
 * One event stream per tab feeds every job on the page (browsers allow six connections to a host, so a stream per job
 * would soon leave none for requests). When the stream breaks or says nothing it opens again, later each time; after a
 * gap all job lists are asked anew, because what happened meanwhile was not heard.
 */
export function JobEvents() {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let quietSeconds = 0;
    const hear = () => {
      quietSeconds = 0;
      noteHeartbeat();
    };
    const open = () => {
      quietSeconds = 0;
      source = new EventSource('/api/jobs/events');
      source.addEventListener('open', () => {
        hear();
        if (failures > 0) void client.invalidateQueries({ queryKey: queryKeys.jobs });
        failures = 0;
      });
      source.addEventListener('heartbeat', hear);
      source.addEventListener('job', (event) => {
        hear();
        const job = parseJob((event as MessageEvent<string>).data);
        if (job) applyJob(client, job);
      });
      source.addEventListener('error', reopen);
    };
    const reopen = () => {
      source?.close();
      source = null;
      failures++;
      // A stream tells nothing of why it ended. Whoever is signed out is led to where they can sign in.
      void api.get<SessionInfo>('/api/session').then(
        ({ user }) => user === null && toSignIn(),
        () => {},
      );
      timer = setTimeout(open, Math.min(MAX_WAIT_MS, 500 * 2 ** failures));
    };
    // After the first paint, so that the page's own requests go first.
    timer = setTimeout(open, 50);
    noteHeartbeat();
    const seconds = setInterval(() => {
      missSecond();
      // A line that was cut somewhere on the way, or a server that is stopped, ends no stream.
      if (++quietSeconds >= SILENT_AFTER_SECONDS && source !== null) reopen();
    }, 1000);
    return () => {
      clearTimeout(timer);
      clearInterval(seconds);
      noteHeartbeat();
      source?.close();
    };
  }, [client]);
  return null;
}

function parseJob(data: string): Job | null {
  try {
    return JSON.parse(data) as Job;
  } catch {
    return null;
  }
}

function applyJob(client: QueryClient, job: Job) {
  const before = client.getQueryData<Job>(queryKeys.job(job.id));
  if (before && before.updatedAt > job.updatedAt) return;
  client.setQueryData(queryKeys.job(job.id), job);
  let listed = false;
  client.setQueriesData<Job[]>({ queryKey: ['jobs', 'list'] }, (jobs) => {
    if (!jobs?.some((j) => j.id === job.id)) return jobs;
    listed = true;
    return jobs.map((j) => (j.id === job.id ? job : j));
  });
  const stateChanged = before?.state !== job.state;
  if (!listed || stateChanged) void client.invalidateQueries({ queryKey: ['jobs', 'list'] });
  if (stateChanged || before?.snapshotId !== job.snapshotId) {
    void client.invalidateQueries({ queryKey: queryKeys.fleet });
    if (job.instanceId) void client.invalidateQueries({ queryKey: queryKeys.snapshots(job.instanceId) });
    if (job.snapshotId && ENDED_STATES.includes(job.state)) {
      void client.invalidateQueries({ queryKey: queryKeys.snapshot(job.snapshotId) });
      for (const name of ['report', 'findings']) void client.invalidateQueries({ queryKey: [name, job.snapshotId] });
    }
  }
}
