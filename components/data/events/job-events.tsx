import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Job } from '@/lib/model/job';
import { api, buildApiUrl } from '../api';
import { buildKey } from '../build-key';
import { goToSignIn } from '../sign-in-redirect';
import { storeJob } from '../store-job';
import { missSecond, noteHeartbeat, SILENT_AFTER_SECONDS } from './heartbeat';

/**
 * Longest wait before the stream is opened again, ms. It is shorter than the time after which the server counts as
 * silent, so that a server that refuses the stream still answers in time.
 */
const MAX_WAIT_MS = 2_000;

/**
 * One event stream per tab serves every job on the page. Browsers allow six connections to a host, so a stream per job
 * would soon leave none for requests. If the stream breaks or sends nothing, it is opened again, with growing waits.
 * The jobs are requested again whenever it broke and once it is back, because events may have been missed; otherwise
 * nothing polls them.
 */
export function JobEvents() {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let quietSeconds = 0;
    // Any event is a sign of life.
    const noteSign = () => {
      quietSeconds = 0;
      noteHeartbeat();
    };
    const refreshJobs = () => {
      for (const route of ['GET /api/jobs', 'GET /api/jobs/{id}'] as const)
        void client.invalidateQueries({ queryKey: buildKey(route) });
    };
    const open = () => {
      quietSeconds = 0;
      source = new EventSource(buildApiUrl('GET /api/jobs/events', {}));
      source.addEventListener('open', () => {
        noteSign();
        if (failures > 0) refreshJobs();
        failures = 0;
      });
      source.addEventListener('heartbeat', noteSign);
      source.addEventListener('job', (event) => {
        noteSign();
        const job = parseJob((event as MessageEvent<string>).data);
        if (job) storeJob(client, job);
      });
      source.addEventListener('error', reopen);
    };
    const reopen = () => {
      source?.close();
      source = null;
      failures++;
      refreshJobs();
      // A stream does not say why it ended. If the session has ended, the page goes to the sign-in.
      void api('GET /api/session', {}).then(
        ({ user }) => user === null && goToSignIn(),
        () => {},
      );
      timer = setTimeout(open, Math.min(MAX_WAIT_MS, 500 * 2 ** failures));
    };
    // Opened after the first paint, so that the page's own requests go first.
    timer = setTimeout(open, 50);
    noteHeartbeat();
    const seconds = setInterval(() => {
      missSecond();
      // A cut connection or a stopped server does not end the stream, so silence reopens it.
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
