import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import type { Actor } from '@/lib/model/actor';
import type { Job, Speed } from '@/lib/model/job';
import { insertJob } from '@/lib/store/jobs';
import { newId } from '@/lib/store/new-id';
import { type Tx, transaction } from '@/lib/store/open-store';
import { refuseSecondActiveJob } from './refuse-second-active-job';

export interface NewJob {
  kind: string;
  instanceId: string | null;
  instanceName: string | null;
  snapshotId?: string | null;
  speed: Speed;
  /** What the kind needs to run; JSON, no secrets. */
  params: unknown;
  /** What of it the audit trail shall tell beside kind and speed. */
  reported?: Record<string, unknown>;
}

/** Queues a job. `job_running` when the instance already has an active one of that kind; `details.job` names it. */
export async function createJob(actor: Actor, input: NewJob, tx?: Tx): Promise<Job> {
  const now = Date.now();
  const job: Job = {
    id: newId(now),
    kind: input.kind,
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
  await requireRole(actor, 'operator', entry, tx);
  await transaction(async (open) => {
    await refuseSecondActiveJob(job, open);
    await recordAudit(open, { ...entry, actor, details: { kind: job.kind, speed: job.speed, ...input.reported } });
    await insertJob(job, input.params, open);
  }, tx);
  return job;
}
