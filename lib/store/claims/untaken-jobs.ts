import { sql } from 'kysely';
import type { WaitReason } from '@/lib/model/job';
import { isPresentWorker, type Presence, SILENT_AFTER_MS } from '@/lib/model/presence';
import { isPostgres } from '../engines/dialect';
import { POSTGRES_NOW } from '../jobs';
import { getDb } from '../open-store';
import { listPresences } from '../workers';
import { wantedLabelSql } from './claims';

/**
 * Why no live process works on a job. `label`: the one that its instance requires. `places`: how many jobs the
 * processes that may run it run at once. `worker_silent`: the process that runs it reports once a second, and has not
 * done so for a while: it is dead, frozen or cut off.
 */
export interface UntakenJob {
  id: string;
  code: Extract<
    WaitReason['code'],
    'no_worker' | 'no_worker_with_label' | 'no_worker_without_label' | 'no_place' | 'worker_silent'
  >;
  label: string | null;
  places: number;
}

/** A queued job. `reaches`: whether it has an instance; only then the label of a process matters. */
interface QueuedJob {
  id: string;
  label: string | null;
  reaches: boolean;
}

/** Jobs that no live process works on. */
export const findUntakenJobs = async (): Promise<UntakenJob[]> =>
  (await Promise.all([findUntakenQueuedJobs(), findSilentJobs()])).flat();

async function findSilentJobs(): Promise<UntakenJob[]> {
  const db = await getDb(undefined);
  const now = isPostgres(db) ? POSTGRES_NOW : sql<number>`${Date.now()}`;
  const jobs = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['running', 'waiting'])
    .where('updated_at', '<', sql<number>`${now} - ${SILENT_AFTER_MS}`)
    .orderBy('id')
    .execute();
  return jobs.map(({ id }) => ({ id, code: 'worker_silent', label: null, places: 0 }));
}

/**
 * Queued jobs that no live process takes: because there is none, because of labels, or because none has a free place.
 */
async function findUntakenQueuedJobs(): Promise<UntakenJob[]> {
  const present = (await listPresences()).filter(isPresentWorker);
  const ready = present.filter(({ jobs, running }) => running < jobs);
  return (await findQueuedJobs(ready)).map((job) => ({ id: job.id, label: job.label, ...explain(job, present) }));
}

function explain({ label, reaches }: QueuedJob, present: readonly Presence[]): Pick<UntakenJob, 'code' | 'places'> {
  const allowed = present.filter(
    ({ labels }) => !reaches || (label === null ? labels.length === 0 : labels.includes(label)),
  );
  const places = allowed.reduce((sum, { jobs }) => sum + jobs, 0);
  if (places > 0) return { code: 'no_place', places };
  if (label !== null) return { code: 'no_worker_with_label', places };
  return { code: present.length > 0 ? 'no_worker_without_label' : 'no_worker', places };
}

/** The queued jobs that none of these processes may run. On SQLite there is only one worker, which takes all jobs. */
async function findQueuedJobs(workers: readonly Presence[]): Promise<QueuedJob[]> {
  const db = await getDb(undefined);
  if (!isPostgres(db)) {
    if (workers.length > 0) return [];
    const queued = await db.selectFrom('jobs').select('id').where('state', '=', 'queued').execute();
    return queued.map(({ id }) => ({ id, label: null, reaches: false }));
  }
  const labels = [...new Set(workers.flatMap((one) => one.labels))];
  const label = wantedLabelSql(db);
  const missing = [
    labels.length === 0
      ? sql<boolean>`${label} is not null`
      : sql<boolean>`${label} is not null and ${label} not in (${sql.join(labels)})`,
  ];
  if (workers.length === 0) missing.push(sql<boolean>`instances.id is null`);
  // Workers with labels do not take jobs of instances that require none.
  if (workers.every((one) => one.labels.length > 0))
    missing.push(sql<boolean>`${label} is null and instances.id is not null`);
  return (
    db
      .selectFrom('jobs')
      // A job without an instance reaches no server, so any worker may run it.
      .leftJoin('instances', 'instances.id', 'jobs.instance_id')
      .select(['jobs.id as id', label.as('label'), sql<boolean>`instances.id is not null`.as('reaches')])
      .where('jobs.state', '=', 'queued')
      .where((eb) => eb.or(missing))
      .orderBy('jobs.id')
      .execute()
  );
}
