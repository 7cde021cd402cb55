import { sql } from 'kysely';
import type { JobState } from '@/lib/model/job-states';
import { SILENT_AFTER_MS } from '@/lib/model/presence';
import { jsonField } from './engines/dialect';
import { POSTGRES_NOW, type StoredJob, toStoredJob } from './jobs';
import { dbOf, type Tx } from './open-store';

/** What a claim is decided by, where several processes share the store. */
export interface ClaimView {
  /** Oldest first, with the label that the instance wants its worker to have. */
  queued: { id: string; instanceId: string | null; label: string | null }[];
  /** The instance of each job that some process holds. */
  held: (string | null)[];
  /** How many processes that run jobs are there, as their signs of life say. */
  workers: number;
}

/** PostgreSQL only. Whoever claims comes one after the other, until the transaction ends. */
export async function viewForClaim(kinds: string[], held: readonly JobState[], tx: Tx): Promise<ClaimView> {
  await sql`select pg_advisory_xact_lock(hashtext('colonnade claims'), hashtext(current_schema()))`.execute(tx);
  const queued = await tx
    .selectFrom('jobs')
    .leftJoin('instances', 'instances.id', 'jobs.instance_id')
    .select(['jobs.id as id', 'jobs.instance_id as instanceId'])
    .select(jsonField<string>(tx, 'instances.settings', 'workerLabel').as('label'))
    .where('jobs.state', '=', 'queued')
    .where('jobs.kind', 'in', kinds)
    .orderBy('jobs.created_at')
    .orderBy('jobs.id')
    .limit(1000)
    .execute();
  const rows = await tx
    .selectFrom('jobs')
    .select('instance_id')
    .where('state', 'in', [...held])
    .execute();
  const present = await tx
    .selectFrom('workers')
    .select(({ fn }) => fn.countAll<number>().as('workers'))
    .where('role', '!=', 'web')
    .where('seen_at', '>', sql<number>`${POSTGRES_NOW} - ${SILENT_AFTER_MS}`)
    .executeTakeFirst();
  return {
    queued: queued.map((row) => ({ ...row, label: row.label === 'null' ? null : row.label })),
    held: rows.map((row) => row.instance_id),
    workers: present?.workers ?? 0,
  };
}

/**
 * Those of them that are still queued, locked until the transaction ends. One that somebody changes at this moment is
 * not waited for: who claims many must not stand in a queue with some of them locked.
 */
export async function lockQueued(ids: readonly string[], tx: Tx): Promise<StoredJob[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('state', '=', 'queued')
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(toStoredJob).toSorted((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
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
