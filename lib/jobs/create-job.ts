import { recordAudit } from '@/lib/audit/record';
import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Job, JobPurpose, Speed } from '@/lib/model/job';
import { insertJob, storeNow } from '@/lib/store/jobs';
import { newId } from '@/lib/store/new-id';
import { type Tx, transaction } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

export interface NewJob {
  kind: string;
  purpose?: JobPurpose;
  instanceId: string | null;
  instanceName: string | null;
  snapshotId?: string | null;
  speed: Speed;
  /** What the kind needs to run; JSON, no secrets. */
  params: unknown;
  /** What of it the audit log shall tell beside kind and speed. */
  reported?: Record<string, unknown>;
}

/** Queues a job. `job_running` when the instance already has an active one of that kind; `details.job` names it. */
export const createJob = verb(
  {
    needs: 'scan.run',
    on: ({ instanceId }: NewJob) => ofInstance(instanceId),
    action: 'job.create',
    subject: ({ kind }: NewJob) => kind,
  },
  (actor: Actor, input: NewJob): Promise<Job> => transaction((tx) => queueJob(actor, input, tx)),
);

/** The same as a part of another act, which has asked whether it may. */
export async function queueJob(actor: Actor, input: NewJob, tx: Tx): Promise<Job> {
  const now = await storeNow(tx);
  const job: Job = {
    id: newId(now),
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
  const entry = { action: 'job.create', subject: job.id, instanceId: job.instanceId };
  await refuseSecondActiveJob(job, tx);
  await recordAudit(tx, {
    ...entry,
    actor,
    details: { kind: job.kind, ...(job.purpose && { purpose: job.purpose }), speed: job.speed, ...input.reported },
  });
  await insertJob(job, input.params, tx);
  return job;
}
