import { type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { JobState } from '@/lib/model/job-states';
import { SILENT_AFTER_MS } from '@/lib/model/presence';
import { jsonField } from '../engines/dialect';
import { POSTGRES_NOW, type StoredJob, toStoredJob } from '../jobs';
import { dbOf } from '../open-store';

/** What a claim is decided by, where several processes share the store. */
export interface ClaimView {
  /** That the process may take, oldest first. */
  queued: { id: string; instanceId: string | null }[];
  /** The instance of each job that some process holds. */
  held: (string | null)[];
  /** How many processes that run jobs are there, as their signs of life say. */
  workers: number;
}

/** Which label an instance wants the process to have that runs its jobs; null = none. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const wantedLabel = (db: Kysely<any>) =>
  sql<string | null>`nullif(${jsonField<string>(db, 'instances.settings', 'workerLabel')}, 'null')`;

/** So many of the oldest are compared: each process has 64 places at most. */
const COMPARED = 250;

/**
 * PostgreSQL only. All of it in one statement, so that it is of one moment and one way there and back. `labels`: those
 * of the process; without any it takes the jobs of instances that name none.
 */
export async function viewForClaim(
  kinds: string[],
  held: readonly JobState[],
  labels: readonly string[],
): Promise<ClaimView> {
  const db = await dbOf(undefined);
  const label = wantedLabel(db);
  // Without an instance no server is reached, so any process may do it.
  const mine = [sql<boolean>`instances.id is null`];
  mine.push(labels.length === 0 ? sql<boolean>`${label} is null` : sql<boolean>`${label} in (${sql.join(labels)})`);
  const queued = db
    .selectFrom('jobs')
    .leftJoin('instances', 'instances.id', 'jobs.instance_id')
    .select(['jobs.id as id', 'jobs.instance_id as instanceId'])
    .where('jobs.state', '=', 'queued')
    .where('jobs.kind', 'in', kinds)
    .where((eb) => eb.or(mine))
    .orderBy('jobs.created_at')
    .orderBy('jobs.id')
    .limit(COMPARED);
  const holding = db
    .selectFrom('jobs')
    .select('instance_id as instanceId')
    .where('state', 'in', [...held]);
  const present = db
    .selectFrom('workers')
    .select(({ fn }) => fn.countAll<number>().as('workers'))
    .where('role', '!=', 'web')
    .where('seen_at', '>', sql<number>`${POSTGRES_NOW} - ${SILENT_AFTER_MS}`);
  const view = await db
    .selectNoFrom([jsonArrayFrom(queued).as('queued'), jsonArrayFrom(holding).as('held'), present.as('workers')])
    .executeTakeFirstOrThrow();
  return {
    queued: view.queued,
    held: view.held.map(({ instanceId }) => instanceId),
    workers: view.workers ?? 0,
  };
}

/**
 * PostgreSQL only. `max` of these jobs, the first before the others, become running and this owner's, in one
 * statement: those that are still queued and that nobody has locked. One that somebody changes at this moment is not
 * waited for, and one that was taken in between is not seen as queued any more once its lock is had.
 */
export async function takeQueued(
  ids: readonly string[],
  max: number,
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<StoredJob[]> {
  if (ids.length === 0 || max <= 0) return [];
  const db = await dbOf(undefined);
  const given = sql<string[]>`${ids}::text[]`;
  const rows = await db
    .with('free', (within) =>
      within
        .selectFrom('jobs')
        .select('id')
        .where(sql<boolean>`id = any(${given})`)
        .where('state', '=', 'queued')
        .orderBy(sql`array_position(${given}, id)`)
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('jobs')
    .from('free')
    .set({
      state: 'running',
      reason: null,
      error: null,
      started_at: sql<number>`coalesce(jobs.started_at, ${POSTGRES_NOW})`,
      updated_at: POSTGRES_NOW,
      lease_owner: owner,
      lease_fence: sql<number>`jobs.lease_fence + 1`,
      lease_until: sql<number>`${POSTGRES_NOW} + ${leaseMs}`,
    })
    .whereRef('jobs.id', '=', 'free.id')
    .where('jobs.state', '=', 'queued')
    .returningAll('jobs')
    .execute();
  return rows.map(toStoredJob).toSorted((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
}
