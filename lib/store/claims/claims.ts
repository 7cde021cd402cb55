import { type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { JobState } from '@/lib/model/job-states';
import { SILENT_AFTER_MS } from '@/lib/model/presence';
import { jsonField } from '../engines/dialect';
import { POSTGRES_NOW, type StoredJob, toStoredJob } from '../jobs';
import { getDb } from '../open-store';

/** A process needs these facts to decide which jobs to claim if several processes share the store. */
export interface ClaimView {
  /** Jobs that this process may take, oldest first. */
  queued: { id: string; instanceId: string | null }[];
  /** Instance of each job that a process holds now; null = a job without an instance. */
  held: (string | null)[];
  /** Number of live processes that run jobs, by their signs of life. */
  workers: number;
}

/** The label that a process must have to run jobs of an instance; null = none. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
export const wantedLabelSql = (db: Kysely<any>) =>
  sql<string | null>`nullif(${jsonField<string>(db, 'instances.settings', 'workerLabel')}, 'null')`;

/** Only this many of the oldest queued jobs are read, because a process runs at most 64 jobs. */
const COMPARED = 250;

/**
 * PostgreSQL only. Reads everything in one statement, so that it describes one moment and takes one round trip.
 * `labels` are those of this process; without labels it takes the jobs of instances that require none.
 */
export async function readClaimView(
  kinds: string[],
  held: readonly JobState[],
  labels: readonly string[],
): Promise<ClaimView> {
  const db = await getDb(undefined);
  const label = wantedLabelSql(db);
  const hasLabel =
    labels.length === 0 ? sql<boolean>`${label} is null` : sql<boolean>`${label} in (${sql.join(labels)})`;
  const queued = db
    .selectFrom('jobs')
    .leftJoin('instances', 'instances.id', 'jobs.instance_id')
    .select(['jobs.id as id', 'jobs.instance_id as instanceId'])
    .where('jobs.state', '=', 'queued')
    .where('jobs.kind', 'in', kinds)
    // A job without an instance reaches no server, so any process may run it.
    .where((eb) => eb.or([sql<boolean>`instances.id is null`, hasLabel]))
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
  return { ...view, held: view.held.map(({ instanceId }) => instanceId), workers: view.workers ?? 0 };
}

/**
 * PostgreSQL only. In one statement, makes up to `max` of these jobs running and gives their leases to `processId`, in
 * the given order. It takes only jobs that are still queued and not locked: it does not wait for a job that another
 * transaction changes now, and checks the state again after it has the lock.
 */
export async function takeQueued(
  ids: readonly string[],
  max: number,
  { processId, leaseMs }: { processId: string; leaseMs: number },
): Promise<StoredJob[]> {
  if (ids.length === 0 || max <= 0) return [];
  const db = await getDb(undefined);
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
      lease_owner: processId,
      lease_fence: sql<number>`jobs.lease_fence + 1`,
      lease_until: sql<number>`${POSTGRES_NOW} + ${leaseMs}`,
    })
    .whereRef('jobs.id', '=', 'free.id')
    .where('jobs.state', '=', 'queued')
    .returningAll('jobs')
    .execute();
  return rows.map(toStoredJob).toSorted((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
}
