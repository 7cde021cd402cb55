import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import { createJob } from '@/lib/jobs/create-job';
import type { Actor } from '@/lib/model/actor';
import type { Confirmation, Deletion } from '@/lib/model/deletion';
import { AppError } from '@/lib/model/errors';
import { getStoredDeletion, updateDeletion } from '@/lib/store/deletions';
import { getInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { deletionOrThrow, getDeletion } from './get-deletion';
import { lookAgain } from './look-again';
import { isPanicked, refreshPanic } from './panic-state';

/** A plan older than this is looked at again before it starts. */
const FRESH_MS = 15 * 60_000;

/**
 * The decision: checks what was typed and ticked, the flags of the instance and the age of the plan, and then writes the
 * audit row, the job and the state in one transaction. Nothing is sent here. Errors: `forbidden`, `not_found`,
 * `conflict` (already decided), `read_only`, `panic`, `wrong_phrase`, `consent_missing`, `plan_outdated`, `job_running`.
 */
export async function startDeletion(actor: Actor, { planId, confirm, consents }: Confirmation): Promise<Deletion> {
  const { plan, state } = await deletionOrThrow(planId);
  const entry = { action: 'deletion.start', subject: planId, instanceId: plan.instanceId };
  await requireRole(actor, 'operator', entry);
  if (state !== 'planned') throw alreadyDecided(planId, state);
  const instance = await mayWrite(plan.instanceId);
  if (confirm !== plan.phrase || confirm !== instance.settings.name)
    throw new AppError('wrong_phrase', `Type ${plan.phrase} to confirm.`, { phrase: plan.phrase });
  const missing = plan.consents.filter((consent) => !consents.includes(consent));
  if (missing.length > 0)
    throw new AppError('consent_missing', `The plan asks for: ${missing.join(', ')}.`, { missing });
  if (Date.now() - plan.lookedAt > FRESH_MS) await lookAgain(actor, plan);
  await transaction(async (tx) => {
    const now = await getStoredDeletion(planId, tx);
    if (now?.state !== 'planned') throw alreadyDecided(planId, now?.state ?? 'gone');
    // Made anew by somebody else meanwhile: not what this person has seen.
    if (now.plan.createdAt !== plan.createdAt) throw alreadyDecided(planId, 'made anew');
    const { totals, task } = plan;
    await recordAudit(tx, {
      ...entry,
      actor,
      outcome: 'intent',
      details: {
        task,
        keys: totals.keys,
        elements: totals.elements,
        bytes: totals.bytes,
        byMode: totals.byMode,
        consents,
      },
    });
    const job = await createJob(
      actor,
      {
        kind: 'deletion',
        instanceId: plan.instanceId,
        instanceName: instance.settings.name,
        speed: plan.options.speed,
        params: { deletionId: planId, action: 'run' },
      },
      tx,
    );
    await updateDeletion(planId, { state: 'started', jobId: job.id, action: 'run', startedAt: Date.now() }, tx);
  });
  return getDeletion(actor, planId);
}

const alreadyDecided = (id: string, state: string) =>
  new AppError('conflict', `This plan has been decided: it is ${state}.`, { deletion: id, state });

/** The instance, if writes are allowed on it now. */
export async function mayWrite(instanceId: string) {
  const instance = await getInstanceRow(instanceId);
  if (!instance) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
  if (instance.settings.readOnly)
    throw new AppError(
      'read_only',
      'The instance is marked read-only: nothing is written. Change that in its settings.',
      {
        instance: instance.settings.name,
      },
    );
  await refreshPanic();
  if (isPanicked(instanceId)) throw new AppError('panic', 'Every write is stopped. Lift the stop first.', {});
  return instance;
}
