import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Job, JobPurpose, Speed } from '@/lib/model/job';
import { generateId } from '@/lib/store/generate-id';
import { insertJob, readStoreNow } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

interface NewJob {
  kind: string;
  purpose?: JobPurpose;
  instanceId: string | null;
  instanceName: string | null;
  snapshotId?: string | null;
  speed: Speed;
  /** The kind needs this to run. It is JSON without secrets. */
  params: unknown;
  /** Fields of the audit row besides kind, purpose and speed. */
  auditDetails?: Record<string, unknown>;
}

/**
 * Queues a job. Errors: `job_running` when the instance already has an active job of that kind; `details.job` is its
 * id.
 */
export const createJob = verb(
  {
    needs: 'scan.run',
    on: ({ instanceId }: NewJob) => scopeToInstance(instanceId),
    action: 'job.create',
    subject: ({ kind }: NewJob) => kind,
  },
  (actor: Actor, input: NewJob): Promise<Job> => runTransaction((tx) => queueJob(actor, input, tx)),
);

/** Like `createJob`, as part of another action that has checked the permission. */
export async function queueJob(actor: Actor, input: NewJob, tx: Tx): Promise<Job> {
  const now = await readStoreNow(tx);
  const job: Job = {
    id: generateId(now),
    kind: input.kind,
    purpose: input.purpose ?? null,
    instanceId: input.instanceId,
    instanceName: input.instanceName,
    snapshotId: input.snapshotId ?? null,
    state: 'queued',
    speed: input.speed,
    progress: null,
    reason: null,
    cost: null,
    error: null,
    actor: actor.name,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
  };
  await refuseSecondActiveJob(job, tx);
  await recordAudit(tx, {
    action: 'job.create',
    subject: job.id,
    instanceId: job.instanceId,
    actor,
    details: { kind: job.kind, ...(job.purpose && { purpose: job.purpose }), speed: job.speed, ...input.auditDetails },
  });
  await insertJob(job, input.params, tx);
  return job;
}
