import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { assertApproved } from '@/lib/deletions/approval/assert-approved';
import { isEmergencyStopped, refreshEmergencyStop } from '@/lib/deletions/executor/emergency-stop-state';
import { formatServerAddresses } from '@/lib/deletions/run/judge-server-identity';
import { queueJob } from '@/lib/jobs/create-job';
import { requeueJob } from '@/lib/jobs/resume-job';
import type { Actor } from '@/lib/model/actor';
import { listAgreedConsents, listConsents } from '@/lib/model/deletions/consents';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { Confirmation, Consent } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import type { JobPurpose } from '@/lib/model/job';
import type { InstanceSettings } from '@/lib/model/servers/instance';
import { config } from '@/lib/runtime/config';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import { getStoredDeletion, type StoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { getInstanceRow, isWriteUserMissing } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { assertSameServer } from './assert-same-server';
import { getDeletion, getDeletionOrThrow } from './get-deletion';
import { revalidatePlan } from './revalidate-plan';

/** A plan older than this, in ms, is made again and compared before it starts. */
const MAX_PLAN_AGE_MS = 15 * 60_000;
/** Reasons of a paused job that continues once a missing consent or approval was given. */
const CONSENT_REASONS: readonly (string | undefined)[] = ['consent_missing', 'approval_needed'];

/**
 * Starts a confirmed deletion: checks what was typed and ticked, the flags of the instance and the age of the plan, and
 * then writes the audit row, the job and the state in one transaction. Nothing is sent to Redis here. Errors:
 * `forbidden`, `not_found`, `conflict` (already decided), `read_only`, `panic`, `wrong_phrase`, `consent_missing`,
 * `approval_needed`, `plan_outdated`, `other_server`, `job_running`, `write_credentials_missing`.
 */
export const startDeletion = verb(
  {
    needs: 'deletion.run',
    on: ({ planId }: Confirmation) => scopeToDeletion(planId),
    action: 'deletion.start',
    subject: ({ planId }: Confirmation) => planId,
    fresh: true,
  },
  async (actor: Actor, confirmation: Confirmation): Promise<Deletion> => {
    const { planId, consents } = confirmation;
    const stored = await getDeletionOrThrow(planId);
    const { plan, state } = stored;
    if (state !== 'planned') return confirmAgain(actor, stored, confirmation);
    if (plan.replacing !== undefined) throw createDecidedError(planId, 'being made anew');
    const { settings } = await assertMayWrite(plan.instanceId);
    assertConfirmed(plan, settings, confirmation, []);
    await assertApproved(stored, { id: plan.instanceId, settings });
    const hasRestarted = (await assertSameServer(stored)) === 'restarted';
    const isMoreProtected = config.protectedPatterns.some((pattern) => !plan.protect?.includes(pattern));
    // When the plan was made, the permissions of the write user could not be checked.
    const hasUncheckedUser = plan.notices.some(({ code }) => code === 'write_credentials_missing');
    if (hasRestarted || isMoreProtected || hasUncheckedUser || (await isOldPlan(plan)))
      await revalidatePlan(actor, plan);
    await runTransaction(async (tx) => {
      const current = await getStoredDeletion(planId, tx);
      if (current?.state !== 'planned') throw createDecidedError(planId, current?.state ?? 'gone');
      if (current.plan.replacing !== undefined) throw createDecidedError(planId, 'being made anew');
      // Somebody else made the plan again meanwhile: it is not the plan that this person saw.
      if (current.plan.createdAt !== plan.createdAt) throw createDecidedError(planId, 'made anew');
      // The approval may have been withdrawn, or may have become necessary, since it was checked.
      await assertApproved(
        current,
        (await getProtectedInstance(plan.instanceId, tx)) ?? { id: plan.instanceId, settings },
        tx,
      );
      const { totals, task } = plan;
      await recordAudit(tx, {
        action: 'deletion.start',
        subject: planId,
        instanceId: plan.instanceId,
        actor,
        outcome: 'intent',
        details: {
          task,
          keys: totals.keys,
          elements: totals.elements,
          bytes: totals.bytes,
          byMode: totals.byMode,
          consents,
          server: formatServerAddresses(current.server),
          approvedBy: current.approval?.decidedBy?.name ?? null,
        },
      });
      const job = await queueJob(
        actor,
        {
          kind: 'deletion',
          purpose: getJobPurpose(plan),
          instanceId: plan.instanceId,
          instanceName: settings.name,
          speed: plan.options.speed,
          params: { deletionId: planId, action: 'run' },
        },
        tx,
      );
      const confirmedPlan = { ...current.plan, agreed: consents };
      const start = { state: 'started' as const, jobId: job.id, action: 'run' as const, startedAt: Date.now() };
      await updateDeletion(planId, { ...start, plan: confirmedPlan }, tx);
    });
    return getDeletion(actor, planId);
  },
);

/**
 * Confirms a deletion again that waits because its instance now has flags that nobody agreed to, and continues it. The
 * second person approved the plan without those flags: if the instance requires a second person, they have to approve
 * it again first. Any other deletion keeps its decision.
 */
async function confirmAgain(
  actor: Actor,
  { plan: { id, instanceId }, state }: StoredDeletion,
  confirmation: Confirmation,
) {
  const jobs = await findJobsOfDeletion(id, ['paused']);
  const waiting = jobs.find(({ job }) => CONSENT_REASONS.includes(job.reason?.code));
  if (!waiting) throw createDecidedError(id, state);
  await assertMayWrite(instanceId);
  await runTransaction(async (tx) => {
    const [current, instance] = [await getStoredDeletion(id, tx), await getProtectedInstance(instanceId, tx)];
    if (!current || !instance) throw createDecidedError(id, 'gone');
    const { plan } = current;
    assertConfirmed(plan, instance.settings, confirmation, listAgreedConsents(plan));
    await assertApproved(current, instance, tx);
    const agreed = [...new Set([...listAgreedConsents(plan), ...confirmation.consents])];
    const entry = { action: 'deletion.consent', subject: id, instanceId };
    const approvedBy = current.approval?.decidedBy?.name ?? null;
    await recordAudit(tx, {
      ...entry,
      actor,
      outcome: 'intent',
      details: { consents: confirmation.consents, approvedBy },
    });
    await updateDeletion(id, { plan: { ...plan, agreed } }, tx);
    await requeueJob(actor, waiting.job.id, tx);
  });
  return getDeletion(actor, id);
}

function assertConfirmed(
  plan: DeletionPlan,
  settings: InstanceSettings,
  { confirm, consents }: Confirmation,
  agreed: readonly Consent[],
): void {
  if (confirm !== plan.phrase || confirm !== settings.name)
    throw new AppError('wrong_phrase', `Type ${plan.phrase} to confirm.`, { phrase: plan.phrase });
  const missing = listConsents(plan, settings).filter(
    (consent) => !consents.includes(consent) && !agreed.includes(consent),
  );
  if (missing.length > 0)
    throw new AppError('consent_missing', `Missing consents: ${missing.join(', ')}.`, { missing });
}

/** The age counts by the wall clock and by observed time: setting a clock back must not make an old plan look new. */
async function isOldPlan({ lookedAt }: DeletionPlan): Promise<boolean> {
  const age = Date.now() - lookedAt;
  return age < 0 || Math.max(age, (await readObservedNow()) - lookedAt) > MAX_PLAN_AGE_MS;
}

const createDecidedError = (id: string, state: string) =>
  new AppError('conflict', `This plan has been decided: it is ${state}.`, { deletion: id, state });

/**
 * Returns the instance, if writes are allowed on it now. An undo deletes nothing, so only the flags of its own instance
 * can refuse it, not the read-only mark of another instance that names the same server. Errors: `not_found`,
 * `read_only`, `write_credentials_missing`, `panic`.
 */
export async function assertMayWrite(instanceId: string, action: 'run' | 'undo' = 'run') {
  const instance = await (action === 'undo' ? getInstanceRow(instanceId) : getProtectedInstance(instanceId));
  if (!instance) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
  if (instance.settings.readOnly)
    throw new AppError(
      'read_only',
      'The instance, or another one that names its server, is marked read-only: nothing is written. Change that in its settings.',
      { instance: instance.settings.name },
    );
  if (isWriteUserMissing(instance))
    throw new AppError(
      'write_credentials_missing',
      'The password of the write user is not stored. Enter it on the Server page of the instance, then try again.',
      { instance: instance.settings.name },
    );
  await refreshEmergencyStop();
  if (isEmergencyStopped(instanceId))
    throw new AppError('panic', 'All writes are stopped. Clear the emergency stop first.', {});
  return instance;
}

/** The purpose is `quarantine` only if every key is quarantined; if some keys are deleted at once, it is `delete`. */
const getJobPurpose = ({ task, totals }: DeletionPlan): JobPurpose =>
  task === 'expire' ? 'expire' : totals.byMode.every(({ mode }) => mode === 'quarantine') ? 'quarantine' : 'delete';
