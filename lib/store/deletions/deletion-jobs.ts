import type { JobState } from '@/lib/model/job-states';
import { jsonField } from '@/lib/store/engines/dialect';
import { getStoredJob, type StoredJob } from '@/lib/store/jobs';
import { getDb, type Tx } from '@/lib/store/open-store';

/**
 * Every job of a deletion (run, undo, purge) that is in one of these states, newest first. The row of the deletion has
 * only the job that began last.
 */
export async function findJobsOfDeletion(
  deletionId: string,
  states: readonly JobState[],
  tx?: Tx,
): Promise<StoredJob[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'deletion')
    .where('state', 'in', [...states])
    .where(jsonField<string>(db, 'params', 'deletionId'), '=', deletionId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const found = await Promise.all(rows.map(({ id }) => getStoredJob(id, tx)));
  return found.filter((stored) => stored !== null);
}
