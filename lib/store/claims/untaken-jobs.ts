import { sql } from 'kysely';
import { isPresent } from '@/lib/model/presence';
import { isPostgres } from '../engines/dialect';
import { dbOf } from '../open-store';
import { listPresences } from '../workers';
import { wantedLabel } from './claims';

/**
 * Queued jobs of instances whose label no process has that runs jobs and is there; null = the instance names none, and
 * all of them have labels. SQLite is for one process, which takes whatever comes.
 */
export async function findUntakenJobs(): Promise<{ id: string; label: string | null }[]> {
  const db = await dbOf(undefined);
  if (!isPostgres(db)) return [];
  const there = (await listPresences()).filter((one) => one.role !== 'web' && isPresent(one));
  const labels = [...new Set(there.flatMap((one) => one.labels))];
  const label = wantedLabel(db);
  const missing = [
    labels.length === 0
      ? sql<boolean>`${label} is not null`
      : sql<boolean>`${label} is not null and ${label} not in (${sql.join(labels)})`,
  ];
  // Where nobody is there at all, it is no label that is missing.
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
