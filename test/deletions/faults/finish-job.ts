import { expect } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { setJobSpeed } from '../../../lib/jobs/set-job-speed';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { AppError } from '../../../lib/model/errors';
import { getStoredJob } from '../../../lib/store/jobs';
import { until } from '../../servers/process';
import type { Stand } from '../stand';

/** The reason for which a job may pause and ask for a confirmation, and how long each part of its work may take. */
export interface Allowance {
  mayAsk?: string;
  ms?: number;
}

/** A server that is late once may be late again; a job that asks more often than this is stuck. */
const ASKS = 3;

/**
 * Waits until a job has succeeded, without any confirmation; with `mayAsk` it may ask for one a few times, but only for
 * this reason.
 */
export async function finishJob(stand: Stand, job: string, { mayAsk, ms = 120_000 }: Allowance = {}): Promise<void> {
  for (let asks = 0; mayAsk !== undefined && asks < ASKS; asks++) {
    const stored = await stand.until(job, ['succeeded', 'paused'], ms);
    if (stored?.job.state === 'succeeded') return;
    expect(stored?.job.reason?.code).toBe(mayAsk);
    await resumeJob(LOCAL_ADMIN, job);
  }
  await stand.until(job, ['succeeded'], ms);
}

/**
 * Waits until the run of a job has received a user's request, while one of its commands is held back: if the command
 * were released earlier, the run could end first. The run learns of requests with each renewal of its lease, and the
 * second renewal certainly began after the request.
 */
export async function untilHeard(job: string): Promise<void> {
  let renewals = -1;
  let last: number | undefined;
  await until('the run to hear of it', async () => {
    const lease = (await getStoredJob(job))?.lease.until;
    if (lease !== last) renewals += 1;
    last = lease;
    return renewals >= 2;
  });
}

/** The fault is over, so the rest of the work may run at full speed. */
export async function hurryJob(job: string): Promise<void> {
  try {
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
  } catch (error) {
    // The job has already ended.
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
}
