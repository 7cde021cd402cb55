import { sql } from 'kysely';
import { isPresent } from '@/lib/model/presence';
import { isPostgres } from '../engines/dialect';
import { getDb } from '../open-store';
import { listPresences } from '../workers';
import { wantedLabelSql } from './claims';

/**
 * Queued jobs that no live process may run because of labels. `label` is the label that the instance requires and no
 * process has; null = the instance requires none, but every process has labels. On SQLite there is only one worker,
 * which takes all jobs, so the list is empty.
 */
export async function findUntakenJobs(): Promise<{ id: string; label: string | null }[]> {
  const db = await getDb(undefined);
  if (!isPostgres(db)) return [];
  const there = (await listPresences()).filter((one) => one.role !== 'web' && isPresent(one));
  const labels = [...new Set(there.flatMap((one) => one.labels))];
  const label = wantedLabelSql(db);
  const missing = [
    labels.length === 0
      ? sql<boolean>`${label} is not null`
      : sql<boolean>`${label} is not null and ${label} not in (${sql.join(labels)})`,
  ];
  // If no process is there at all, the label is not the reason.
  if (there.length > 0 && there.every((one) => one.labels.length > 0)) missing.push(sql<boolean>`${label} is null`);
  return db
    .selectFrom('jobs')
    .innerJoin('instances', 'instances.id', 'jobs.instance_id')
    .select(['jobs.id as id', label.as('label')])
    .where('jobs.state', '=', 'queued')
    .where((eb) => eb.or(missing))
    .orderBy('jobs.id')
    .execute();
}
