import { ACTIVE_STATES, ENDED_STATES, JOB_STATES } from '@/lib/model/job-states';
import type { RunReason, RunsQuery, ScheduleRun } from '@/lib/model/schedules/schedule';
import { findStoredJobs, type StoredJob } from '@/lib/store/jobs';
import { getDb, type Tx } from '@/lib/store/open-store';
import type { ScheduleRunsTable } from '@/lib/store/tables/schedule-tables';

/** What identifies a run. */
export type RunKey = Pick<ScheduleRunsTable, 'schedule_id' | 'instance_id' | 'due_at'>;
type RunPatch = Partial<Omit<ScheduleRunsTable, keyof RunKey>>;

/** How many runs of all schedules are kept. */
const MAX_RUNS = 50_000;
/** More scans than any fleet has open at once. */
const MAX_OPEN = 5_000;
const OPEN_STATES = JOB_STATES.filter((state) => !ENDED_STATES.includes(state));

/** Adds runs; those that exist already are left as they are. */
export async function insertRuns(rows: readonly ScheduleRunsTable[], tx: Tx): Promise<void> {
  const onceEach = ['schedule_id', 'instance_id', 'due_at'] as const;
  // A statement may have at most a few thousand parameters.
  for (let from = 0; from < rows.length; from += 100)
    await tx
      .insertInto('schedule_runs')
      .values(rows.slice(from, from + 100))
      .onConflict((c) => c.columns([...onceEach]).doNothing())
      .execute();
}

export async function updateRun(key: RunKey, patch: RunPatch, tx: Tx): Promise<void> {
  await tx
    .updateTable('schedule_runs')
    .set(patch)
    .where('schedule_id', '=', key.schedule_id)
    .where('instance_id', '=', key.instance_id)
    .where('due_at', '=', key.due_at)
    .execute();
}

export async function getRun(key: RunKey, tx: Tx): Promise<ScheduleRunsTable | null> {
  const query = tx.selectFrom('schedule_runs').selectAll().where('schedule_id', '=', key.schedule_id);
  const row = await query
    .where('instance_id', '=', key.instance_id)
    .where('due_at', '=', key.due_at)
    .executeTakeFirst();
  return row ?? null;
}

/** Skips the waiting runs of a schedule that were due before `before`, epoch ms. */
export async function skipWaitingRuns(scheduleId: string, before: number, reason: RunReason, tx: Tx): Promise<void> {
  await tx
    .updateTable('schedule_runs')
    .set({ state: 'skipped', reason })
    .where('schedule_id', '=', scheduleId)
    .where('state', '=', 'waiting')
    .where('due_at', '<', before)
    .execute();
}

/** Waiting runs that may begin at `now`, in the order in which they begin. */
export async function listWaitingRuns(now: number): Promise<ScheduleRunsTable[]> {
  const db = await getDb(undefined);
  const query = db.selectFrom('schedule_runs').selectAll().where('state', '=', 'waiting').where('start_at', '<=', now);
  return query.orderBy('start_at').orderBy('due_at').orderBy('instance_id').execute();
}

/** How many scans of a schedule are active. */
export async function countActiveRuns(scheduleId: string, tx?: Tx): Promise<number> {
  const jobs = await findStoredJobs({ kind: 'scan', states: ACTIVE_STATES, limit: MAX_OPEN }, tx);
  const runs = await listRunsOfJobs(jobs, tx);
  return runs.filter((run) => run.schedule_id === scheduleId).length;
}

/** The runs that began these jobs. There are few open jobs and many runs, so the search begins with the jobs. */
async function listRunsOfJobs(jobs: readonly StoredJob[], tx?: Tx): Promise<ScheduleRunsTable[]> {
  if (jobs.length === 0) return [];
  const db = await getDb(tx);
  const ids = jobs.map(({ job }) => job.id);
  return db.selectFrom('schedule_runs').selectAll().where('job_id', 'in', ids).execute();
}

/** Whether the job was begun by this schedule. */
export async function isJobOfSchedule(jobId: string, scheduleId: string, tx: Tx): Promise<boolean> {
  const query = tx.selectFrom('schedule_runs').select('due_at').where('job_id', '=', jobId);
  return (await query.where('schedule_id', '=', scheduleId).executeTakeFirst()) !== undefined;
}

/** Runs whose scan has not ended. */
export async function listUnfinishedRuns(): Promise<ScheduleRunsTable[]> {
  return listRunsOfJobs(await findStoredJobs({ kind: 'scan', states: OPEN_STATES, limit: MAX_OPEN }));
}

/** Runs with what became of their scans, newest first; those of `instanceIds` (undefined = all). */
export async function listRuns(
  { scheduleId, instanceId }: RunsQuery,
  instanceIds: readonly string[] | undefined,
  limit: number,
): Promise<Omit<ScheduleRun, 'scheduleName' | 'instanceName'>[]> {
  if (instanceIds?.length === 0) return [];
  const db = await getDb(undefined);
  let query = db
    .selectFrom('schedule_runs as run')
    .leftJoin('jobs', 'jobs.id', 'run.job_id')
    .select([
      'run.schedule_id as scheduleId',
      'run.instance_id as instanceId',
      'due_at as dueAt',
      'start_at as startAt',
      'run.state as state',
      'run.reason as reason',
      'job_id as jobId',
      'jobs.state as jobState',
      'missed_since as missedSince',
    ]);
  if (scheduleId !== undefined) query = query.where('run.schedule_id', '=', scheduleId);
  if (instanceId !== undefined) query = query.where('run.instance_id', '=', instanceId);
  if (instanceIds !== undefined) query = query.where('run.instance_id', 'in', [...instanceIds]);
  return query.orderBy('due_at', 'desc').orderBy('run.instance_id').limit(limit).execute();
}

/** Deletes the runs that were due before `before` (epoch ms), and the oldest ones above the limit. */
export async function deleteOldRuns(before: number): Promise<void> {
  const db = await getDb(undefined);
  const dueTimes = db.selectFrom('schedule_runs').select('due_at').orderBy('due_at', 'desc').offset(MAX_RUNS).limit(1);
  const limit = Math.max(before, (await dueTimes.executeTakeFirst())?.due_at ?? 0);
  // Nothing is written while there is nothing to delete, because a write waits for all others.
  const old = db.selectFrom('schedule_runs').select('due_at').where('due_at', '<', limit);
  if ((await old.limit(1).executeTakeFirst()) === undefined) return;
  await db.deleteFrom('schedule_runs').where('due_at', '<', limit).where('state', '!=', 'waiting').execute();
}

/** Deletes the runs of an instance that is removed. */
export async function forgetInstanceRuns(instanceId: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('schedule_runs').where('instance_id', '=', instanceId).execute();
}
