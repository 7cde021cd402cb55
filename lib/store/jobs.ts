import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { Job, Speed } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { isPostgres } from './engines/dialect';
import { wakeWorker } from './engines/wake-worker';
import { getDb, type Store, type Tx } from './open-store';
import type { JobRowsTable, Tables } from './tables';

/** A job with the fields that only the engine needs. */
export interface StoredJob {
  job: Job;
  params: unknown;
  checkpoint: unknown;
  lease: { holder: string | null; fence: number; until: number };
  discardPending: boolean;
  /** How many times the job was taken over while its progress was at `at`, and since when (epoch ms). */
  takeovers: { at: string; count: number; since: number } | null;
}
export type JobPatch = Partial<
  Pick<Job, 'snapshotId' | 'state' | 'speed' | 'progress' | 'reason' | 'cost' | 'error' | 'startedAt' | 'endedAt'>
> & { checkpoint?: unknown } & Partial<Pick<StoredJob, 'lease' | 'discardPending' | 'takeovers'>>;

const parseJson = (text: string | null) => (text === null ? null : JSON.parse(text));
const toJsonText = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Columns that pages show. Other columns may be long: a checkpoint lists every part of a scan. */
const SHOWN = [
  ...(['id', 'kind', 'purpose', 'instance_id', 'instance_name', 'snapshot_id', 'state', 'speed'] as const),
  ...(['progress', 'reason', 'cost', 'error', 'actor', 'created_at', 'started_at', 'ended_at', 'updated_at'] as const),
];

const toJob = (row: Pick<Selectable<JobRowsTable>, (typeof SHOWN)[number]>): Job => ({
  id: row.id,
  kind: row.kind,
  purpose: row.purpose,
  instanceId: row.instance_id,
  instanceName: row.instance_name,
  snapshotId: row.snapshot_id,
  state: row.state,
  speed: row.speed,
  progress: parseJson(row.progress),
  reason: parseJson(row.reason),
  cost: parseJson(row.cost),
  error: parseJson(row.error),
  actor: row.actor,
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  updatedAt: row.updated_at,
});

export const toStoredJob = (row: Selectable<JobRowsTable>): StoredJob => ({
  job: toJob(row),
  params: parseJson(row.params),
  checkpoint: parseJson(row.checkpoint),
  lease: { holder: row.lease_owner, fence: row.lease_fence, until: row.lease_until },
  discardPending: row.discard_pending === 1,
  takeovers: parseJson(row.takeovers),
});

/** Epoch ms by the clock that all processes of the store share. */
export const POSTGRES_NOW = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

function toColumns(patch: JobPatch, db: Store | Tx): UpdateObject<Tables, 'jobs'> {
  // Watchers ask for jobs that changed since a time, so all writers use one clock.
  const set: UpdateObject<Tables, 'jobs'> = { updated_at: isPostgres(db) ? POSTGRES_NOW : Date.now() };
  if (patch.snapshotId !== undefined) set.snapshot_id = patch.snapshotId;
  if (patch.state !== undefined) set.state = patch.state;
  if (patch.speed !== undefined) set.speed = patch.speed;
  if (patch.startedAt !== undefined) set.started_at = patch.startedAt;
  if (patch.endedAt !== undefined) set.ended_at = patch.endedAt;
  for (const name of ['progress', 'reason', 'cost', 'error', 'checkpoint', 'takeovers'] as const)
    if (patch[name] !== undefined) set[name] = toJsonText(patch[name]);
  if (patch.lease) {
    set.lease_owner = patch.lease.holder;
    set.lease_fence = patch.lease.fence;
    set.lease_until = patch.lease.until;
  }
  if (patch.discardPending !== undefined) set.discard_pending = patch.discardPending ? 1 : 0;
  return set;
}

export async function insertJob(job: Job, params: unknown, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  if (job.state === 'queued') wakeWorker();
  await db
    .insertInto('jobs')
    .values({
      id: job.id,
      kind: job.kind,
      purpose: job.purpose ?? null,
      instance_id: job.instanceId,
      instance_name: job.instanceName,
      snapshot_id: job.snapshotId,
      state: job.state,
      speed: job.speed,
      params: JSON.stringify(params ?? null),
      progress: toJsonText(job.progress),
      cost: toJsonText(job.cost),
      reason: toJsonText(job.reason),
      error: toJsonText(job.error),
      actor: job.actor,
      created_at: job.createdAt,
      started_at: job.startedAt,
      ended_at: job.endedAt,
      updated_at: job.updatedAt,
      lease_fence: 0,
      lease_until: 0,
      discard_pending: 0,
    })
    .execute();
}

export async function getStoredJob(id: string, tx?: Tx): Promise<StoredJob | null> {
  const db = await getDb(tx);
  const query = db.selectFrom('jobs').selectAll().where('id', '=', id);
  // `for update`: another transaction that writes this job waits until this one ends.
  const row = await (tx && isPostgres(db) ? query.forUpdate() : query).executeTakeFirst();
  return row ? toStoredJob(row) : null;
}

interface JobQuery {
  instanceId?: string | undefined;
  /** Only jobs of these instances. */
  instanceIds?: readonly string[] | undefined;
  kind?: string | undefined;
  kinds?: string[] | undefined;
  states?: readonly JobState[] | undefined;
  /** Changed at or after this time, epoch ms. */
  updatedSince?: number | undefined;
  /** Default: newest first. */
  oldestFirst?: boolean | undefined;
  limit?: number | undefined;
}

export async function findStoredJobs(query: JobQuery, tx?: Tx): Promise<StoredJob[]> {
  if (query.instanceIds?.length === 0) return [];
  return (
    await buildQuery(query, await getDb(tx))
      .selectAll()
      .execute()
  ).map(toStoredJob);
}

/** The same for pages, without the engine's fields. */
export async function findJobs(query: JobQuery): Promise<Job[]> {
  if (query.instanceIds?.length === 0) return [];
  return (
    await buildQuery(query, await getDb(undefined))
      .select(SHOWN)
      .execute()
  ).map(toJob);
}

export async function findJob(id: string): Promise<Job | null> {
  const db = await getDb(undefined);
  const row = await db.selectFrom('jobs').select(SHOWN).where('id', '=', id).executeTakeFirst();
  return row ? toJob(row) : null;
}

function buildQuery(query: JobQuery, db: Store | Tx) {
  const order = query.oldestFirst ? 'asc' : 'desc';
  let select = db.selectFrom('jobs').orderBy('created_at', order).orderBy('id', order);
  if (query.instanceId !== undefined) select = select.where('instance_id', '=', query.instanceId);
  if (query.instanceIds !== undefined) select = select.where('instance_id', 'in', [...query.instanceIds]);
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind);
  if (query.kinds !== undefined) select = select.where('kind', 'in', query.kinds);
  if (query.states !== undefined) select = select.where('state', 'in', [...query.states]);
  if (query.updatedSince !== undefined) select = select.where('updated_at', '>=', query.updatedSince);
  return select.limit(query.limit ?? 500);
}

/** Whether several processes may run jobs of this store. */
export const isShared = async (): Promise<boolean> => isPostgres(await getDb(undefined));

export async function updateJob(id: string, patch: JobPatch, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  if (patch.state === 'queued') wakeWorker();
  await db.updateTable('jobs').set(toColumns(patch, db)).where('id', '=', id).execute();
}

/**
 * Holder of a lease. The fence alone is not enough: a database that lost its last commits in a failover may give the
 * same number twice.
 */
export type LeaseHolder = Pick<StoredJob['lease'], 'holder' | 'fence'>;

/** Writes as the holder of the lease. null = another process holds it now, and nothing was written. */
export async function updateJobFenced(
  id: string,
  { holder, fence }: LeaseHolder,
  patch: JobPatch,
  tx?: Tx,
): Promise<{ state: JobState; speed: Speed } | null> {
  const db = await getDb(tx);
  const row = await db
    .updateTable('jobs')
    .set(toColumns(patch, db))
    .where('id', '=', id)
    .where('lease_fence', '=', fence)
    .where('lease_owner', '=', holder)
    .returning(['state', 'speed'])
    .executeTakeFirst();
  return row ?? null;
}

/** Epoch ms by the clock that all processes of the store share. Leases are measured by it. */
export async function readStoreNow(tx?: Tx): Promise<number> {
  const db = await getDb(tx);
  if (!isPostgres(db)) return Date.now();
  const { rows } = await sql<{ now: number }>`select ${POSTGRES_NOW} as now`.execute(db);
  return rows[0]?.now ?? Date.now();
}

/**
 * Per instance, when its newest failed scan ended, epoch ms. Instances that were scanned successfully since are not
 * included.
 */
export async function listFailedScans(): Promise<Map<string, number>> {
  const rows = await (await getDb(undefined))
    .selectFrom('jobs as failed')
    .select(({ fn }) => ['failed.instance_id', fn.max('failed.ended_at').as('at')])
    .where('failed.state', '=', 'failed')
    .where('failed.kind', '=', 'scan')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as later')
            .select('later.id')
            .whereRef('later.instance_id', '=', 'failed.instance_id')
            .whereRef('later.created_at', '>', 'failed.created_at')
            .where('later.kind', '=', 'scan')
            .where('later.state', '=', 'succeeded'),
        ),
      ),
    )
    .groupBy('failed.instance_id')
    .execute();
  return new Map(
    rows.flatMap(({ instance_id, at }) => (instance_id === null || at === null ? [] : [[instance_id, at]])),
  );
}

export async function countJobs(): Promise<{ kind: string; state: JobState; jobs: number }[]> {
  const db = await getDb(undefined);
  return db
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('jobs')])
    .groupBy(['kind', 'state'])
    .execute();
}
