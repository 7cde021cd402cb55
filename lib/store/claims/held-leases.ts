import { sql } from 'kysely';
import type { JobState } from '@/lib/model/job-states';
import { isPostgres } from '../engines/dialect';
import { POSTGRES_NOW, type StoredJob } from '../jobs';
import { getDb } from '../open-store';

/** The lease of a job that some process holds, and the time of the query (`now`, epoch ms). */
interface HeldLease {
  id: string;
  kind: string;
  lease: StoredJob['lease'];
  now: number;
}

/** Returns all leases without a limit, because a limit could leave out those of dead processes. */
export async function findHeldLeases(kinds: string[], held: readonly JobState[]): Promise<HeldLease[]> {
  const db = await getDb(undefined);
  const now = isPostgres(db) ? POSTGRES_NOW : sql<number>`${Date.now()}`;
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'lease_owner as holder', 'lease_fence as fence', 'lease_until as until', now.as('now')])
    .where('state', 'in', [...held])
    .where('kind', 'in', kinds)
    .execute();
  return rows.map(({ id, kind, now, ...lease }) => ({ id, kind, now, lease }));
}

/** Ended jobs with leftovers to remove, oldest first, at most 500. */
export async function findJobsToDiscard(kinds: string[]): Promise<(Pick<StoredJob, 'lease'> & { id: string })[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'lease_owner as holder', 'lease_fence as fence', 'lease_until as until'])
    // A literal, because the planner would not match a bound value with the condition of the partial index.
    .where('discard_pending', '=', sql.lit(1))
    .where('kind', 'in', kinds)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(({ id, ...lease }) => ({ id, lease }));
}
