import { sql } from 'kysely';
import type { JobState } from '@/lib/model/job-states';
import { isPostgres } from '../engines/dialect';
import { POSTGRES_NOW, type StoredJob } from '../jobs';
import { dbOf } from '../open-store';

/** A job that some process holds, without what it works on, and the moment at which that was asked. */
interface HeldLease {
  id: string;
  kind: string;
  lease: StoredJob['lease'];
  now: number;
}

/** However many there are: the dead among them must not be those that are left out. */
export async function findHeldLeases(kinds: string[], held: readonly JobState[]): Promise<HeldLease[]> {
  const db = await dbOf(undefined);
  const now = isPostgres(db) ? POSTGRES_NOW : sql<number>`${Date.now()}`;
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'lease_owner as owner', 'lease_fence as fence', 'lease_until as until', now.as('now')])
    .where('state', 'in', [...held])
    .where('kind', 'in', kinds)
    .execute();
  return rows.map(({ id, kind, now, ...lease }) => ({ id, kind, now, lease }));
}

/** Ended jobs of which something is left to remove, oldest first. */
export async function findJobsToDiscard(kinds: string[]): Promise<(Pick<StoredJob, 'lease'> & { id: string })[]> {
  const db = await dbOf(undefined);
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'lease_owner as owner', 'lease_fence as fence', 'lease_until as until'])
    // As the index has it: a bound value would not match its condition.
    .where('discard_pending', '=', sql.lit(1))
    .where('kind', 'in', kinds)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(({ id, ...lease }) => ({ id, lease }));
}
