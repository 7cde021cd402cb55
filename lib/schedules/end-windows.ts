import { findInitiator } from '@/lib/access/auth/is-still-permitted';
import { endJob } from '@/lib/jobs/cancel-job';
import { holdJob } from '@/lib/jobs/pause-job';
import { requeueJob } from '@/lib/jobs/resume-job';
import { may } from '@/lib/model/access';
import { ENGINE } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { isActive, isUnfinished } from '@/lib/model/job-states';
import { log } from '@/lib/runtime/log';
import { getStoredJob } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { getRun, listUnfinishedRuns, updateRun } from '@/lib/store/schedules/schedule-runs';
import { getScheduleRow, type ScheduleRow } from '@/lib/store/schedules/schedules';
import type { ScheduleRunsTable } from '@/lib/store/tables/schedule-tables';
import { findClosedReason } from './windows';

/**
 * Pauses or cancels the scans whose window has closed, and resumes the paused ones when it opens again. Each closing is
 * handled once: a scan that a person resumes outside of the window continues. `now`: epoch ms by the clock of the store.
 */
export async function endWindows(now: number): Promise<void> {
  for (const run of await listUnfinishedRuns()) {
    const schedule = await getScheduleRow(run.schedule_id);
    if (schedule === null || !schedule.input.on || schedule.input.onWindowEnd === 'finish') continue;
    const isOpen = findClosedReason(schedule.input, now) === null;
    // Nothing changes while it is open and was not held, or is closed and was handled.
    if (isOpen === (run.held_at === null)) continue;
    const change = isOpen ? continueRun(schedule, run) : holdRun(schedule, run, now);
    await change.catch((error) => log().error({ job: run.job_id, err: error }, 'schedule.window_failed'));
  }
}

const holdRun = ({ input }: ScheduleRow, run: ScheduleRunsTable, now: number): Promise<void> =>
  runTransaction(async (tx) => {
    const job = await findRunJob(run, tx);
    if (job === null || (await getRun(run, tx))?.held_at !== null) return;
    if (input.onWindowEnd === 'cancel') {
      await endJob(ENGINE, job.id, tx);
      await updateRun(run, { held_at: now, reason: 'window_end' }, tx);
      return;
    }
    await updateRun(run, { held_at: now }, tx);
    const params = { schedule: input.name };
    if (isActive(job) && job.state !== 'cancelling')
      await holdJob(ENGINE, job.id, { code: 'window_closed', params }, tx);
  });

async function continueRun(schedule: ScheduleRow, run: ScheduleRunsTable): Promise<void> {
  const by = await findInitiator(schedule.begunBy, schedule.byName);
  const instance = await getProtectedInstance(run.instance_id);
  const isPermitted = by && instance && may(by, 'scan.run', { id: instance.id, ...instance.settings });
  await runTransaction(async (tx) => {
    const job = await findRunJob(run, tx);
    // It has not reached its safe point yet: the next tick continues it.
    if (job === null || job.state === 'pausing' || (await getRun(run, tx))?.held_at === null) return;
    if (job.state === 'paused' && job.reason?.code === 'window_closed') {
      if (!isPermitted) return;
      await requeueJob(by, job.id, tx);
    }
    await updateRun(run, { held_at: null }, tx);
  }).catch((error) => {
    // A person has started another scan of the instance: this one stays paused until that has ended.
    if (!(error instanceof AppError && error.code === 'job_running')) throw error;
  });
}

/** The scan of a run; null = it has ended. */
async function findRunJob({ job_id }: ScheduleRunsTable, tx: Tx) {
  const job = job_id === null ? undefined : (await getStoredJob(job_id, tx))?.job;
  return job && isUnfinished(job) ? job : null;
}
