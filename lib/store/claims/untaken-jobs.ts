import { sql } from 'kysely';
import type { WaitReason } from '@/lib/model/job';
import { isPresentWorker, SILENT_AFTER_MS } from '@/lib/model/presence';
import { isPostgres } from '../engines/dialect';
import { POSTGRES_NOW } from '../jobs';
import { getDb } from '../open-store';
import { listPresences } from '../workers';
import { wantedLabelSql } from './claims';

/**
 * Why no live process works on a job. `label`: the one that its instance requires. `worker_silent`: the process that
 * runs it reports once a second, and has not done so for a while: it is dead, frozen or cut off.
 */
export interface UntakenJob {
  id: string;
  code: Extract<WaitReason['code'], 'no_worker' | 'no_worker_with_label' | 'no_worker_without_label' | 'worker_silent'>;
  label: string | null;
}

/** Jobs that no live process works on. */
export const findUntakenJobs = async (): Promise<UntakenJob[]> =>
  (await Promise.all([findQueuedJobs(), findSilentJobs()])).flat();

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
  return jobs.map(({ id }) => ({ id, code: 'worker_silent', label: null }));
}

/**
 * Queued jobs that no live process may run: because there is none, or because of labels. On SQLite there is only one
 * worker, which takes all jobs.
 */
async function findQueuedJobs(): Promise<UntakenJob[]> {
  const db = await getDb(undefined);
  const there = (await listPresences()).filter(isPresentWorker);
  if (!isPostgres(db)) {
    if (there.length > 0) return [];
    const queued = await db.selectFrom('jobs').select('id').where('state', '=', 'queued').execute();
    return queued.map(({ id }) => ({ id, code: 'no_worker', label: null }));
  }
  const labels = [...new Set(there.flatMap((one) => one.labels))];
  const label = wantedLabelSql(db);
  const missing = [
    labels.length === 0
      ? sql<boolean>`${label} is not null`
      : sql<boolean>`${label} is not null and ${label} not in (${sql.join(labels)})`,
  ];
  if (there.length === 0) missing.push(sql<boolean>`instances.id is null`);
  if (there.every((one) => one.labels.length > 0))
    missing.push(sql<boolean>`${label} is null and instances.id is not null`);
  const jobs = await db
    .selectFrom('jobs')
    // A job without an instance reaches no server, so any worker may run it.
    .leftJoin('instances', 'instances.id', 'jobs.instance_id')
    .select(['jobs.id as id', label.as('label')])
    .where('jobs.state', '=', 'queued')
    .where((eb) => eb.or(missing))
    .orderBy('jobs.id')
    .execute();
  const unlabelled = there.length > 0 ? 'no_worker_without_label' : 'no_worker';
  return jobs.map((job) => ({ ...job, code: job.label === null ? unlabelled : 'no_worker_with_label' }));
}
