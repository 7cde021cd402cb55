import { findInitiator } from '@/lib/access/auth/is-still-permitted';
import { endJob } from '@/lib/jobs/cancel-job';
import { OPEN_STATES } from '@/lib/jobs/statuses/assert-transition';
import { may } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import type { RunReason } from '@/lib/model/schedules/schedule';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { log } from '@/lib/runtime/log';
import type { InstanceRow } from '@/lib/store/instances';
import { findStoredJobs } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import {
  countActiveRuns,
  getRun,
  isJobOfSchedule,
  listWaitingRuns,
  type RunKey,
  updateRun,
} from '@/lib/store/schedules/schedule-runs';
import { getScheduleRow, type ScheduleRow } from '@/lib/store/schedules/schedules';
import type { ScheduleRunsTable } from '@/lib/store/tables/schedule-tables';
import { findClosedReason, findOpening } from './windows';

/**
 * Queues a scan in the transaction of the run. Returns the refusal if values may not be sampled: its audit row is kept
 * with the transaction.
 */
export type QueueScan = (
  actor: Actor,
  instance: InstanceRow,
  options: ScanOptions,
  auditDetails: Record<string, unknown>,
  tx: Tx,
) => Promise<Job | AppError>;

const HOUR_MS = 3_600_000;

/**
 * Starts or skips what waits and may begin at `now` (epoch ms by the clock of the store). Returns true if some still
 * wait for a place.
 */
export async function startWaitingRuns(now: number, queueScan: QueueScan): Promise<boolean> {
  let isFull = false;
  const waiting = await listWaitingRuns(now);
  for (const id of new Set(waiting.map((run) => run.schedule_id))) {
    const runs = waiting.filter((run) => run.schedule_id === id);
    const schedule = await getScheduleRow(id);
    if (schedule === null) continue;
    const start = startRuns(schedule, runs, now, queueScan);
    const waits = await start.catch((error) => {
      log().error({ schedule: id, err: error }, 'schedule.start_failed');
      return false;
    });
    isFull ||= waits;
  }
  return isFull;
}

async function startRuns(
  schedule: ScheduleRow,
  runs: readonly ScheduleRunsTable[],
  now: number,
  queueScan: QueueScan,
): Promise<boolean> {
  const { input } = schedule;
  const closed = findClosedReason(input, now);
  const by = await findInitiator(schedule.begunBy, schedule.byName);
  let places = input.atOnce - (await countActiveRuns(schedule.id));
  let isFull = false;
  for (const run of runs) {
    const graceEnds = run.due_at + input.graceHours * HOUR_MS;
    if (closed !== null) {
      const opening = findOpening(input, now, graceEnds);
      await changeWaiting(run, opening === null ? { state: 'skipped', reason: closed } : { start_at: opening });
    } else if (now > graceEnds)
      await changeWaiting(run, { state: 'skipped', reason: places > 0 ? 'missed' : 'places' });
    else if (places <= 0) isFull = true;
    else if (await startRun(schedule, run, by, queueScan)) places--;
  }
  return isFull;
}

/** Changes a run if no other process has started or skipped it. */
const changeWaiting = (run: RunKey, patch: Parameters<typeof updateRun>[1]): Promise<void> =>
  runTransaction(async (tx) => {
    if ((await getRun(run, tx))?.state === 'waiting') await updateRun(run, patch, tx);
  });

/**
 * Starts one run: its job and its row are written in one transaction, so that a crash loses none and doubles none.
 * Returns true if a scan was queued.
 */
const startRun = (schedule: ScheduleRow, run: RunKey, by: Actor | null, queueScan: QueueScan): Promise<boolean> =>
  runTransaction(async (tx) => {
    if ((await getRun(run, tx))?.state !== 'waiting') return false;
    // Another process may have started some of them since they were counted.
    if ((await countActiveRuns(schedule.id, tx)) >= schedule.input.atOnce) return false;
    const instance = await getProtectedInstance(run.instance_id, tx);
    if (instance === null) return false;
    const isPermitted = by !== null && may(by, 'scan.run', { id: instance.id, ...instance.settings });
    const reason = isPermitted ? await findUnfinishedScan(schedule, instance.id, by, tx) : 'forbidden';
    const details = { schedule: schedule.input.name };
    const queued = reason ?? (await queueScan(by!, instance, schedule.input.options, details, tx));
    if (typeof queued === 'string' || queued instanceof AppError) {
      await updateRun(run, { state: 'skipped', reason: typeof queued === 'string' ? queued : 'values' }, tx);
      return false;
    }
    await updateRun(run, { state: 'started', job_id: queued.id }, tx);
    return true;
  });

/**
 * Says why an unfinished scan of the instance lets no other begin; null = nothing prevents it. A scan that this
 * schedule began and that something stopped (a server that was away, a full disk) is cancelled: nobody has come since,
 * and it must not prevent all later ones.
 */
async function findUnfinishedScan(
  schedule: ScheduleRow,
  instanceId: string,
  by: Actor,
  tx: Tx,
): Promise<RunReason | null> {
  const [unfinished] = await findStoredJobs({ instanceId, kind: 'scan', states: OPEN_STATES, limit: 1 }, tx);
  if (unfinished === undefined) return null;
  const { job } = unfinished;
  if (job.state !== 'paused') return 'running';
  if (job.reason?.code === 'operator' || !(await isJobOfSchedule(job.id, schedule.id, tx))) return 'paused';
  await endJob(by, job.id, tx);
  return null;
}
