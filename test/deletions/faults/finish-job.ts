import { expect } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { setJobSpeed } from '../../../lib/jobs/set-job-speed';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { AppError } from '../../../lib/model/errors';
import { getStoredJob } from '../../../lib/store/jobs';
import { until } from '../../servers/process';
import type { Stand } from '../stand';

/** What a job may ask a person for on its way, and how long each part of the way may take. */
export interface Allowance {
  mayAsk?: string;
  ms?: number;
}

/** A server that is late once may be late again; a job that asks without end is stuck. */
const ASKS = 3;

/**
 * To the end of a job, without anybody being asked; with `mayAsk` a person may be asked a few times, for this reason
 * alone.
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
 * Until the run of a job knows what a person has asked of it, while a command of it waits at the door: let go before,
 * it could come to its end. It hears with each renewal of its lease; the second one began after the question for sure.
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

/** The fault is over: what remains to be done need not be gentle. */
export async function hurryJob(job: string): Promise<void> {
  try {
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
  } catch (error) {
    // It has ended already.
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
}
