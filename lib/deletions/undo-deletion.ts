import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { endJob } from '@/lib/jobs/cancel-job';
import { queueJob } from '@/lib/jobs/create-job';
import { PERMISSIONS, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { UndoRequest } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { assertSameServer } from './assert-same-server';
import type { DeletionParams } from './deletion-kind';
import { getDeletion, getDeletionOrThrow } from './get-deletion';
import { assertMayWrite } from './start-deletion';

/**
 * Restores what can be restored: all, or some items. It ends every other job of this deletion that is paused or has
 * failed: a deletion that is resumed later would delete again what was restored. Errors: those of starting,
 * `other_server` and `nothing_to_do`.
 */
export const undoDeletion = verb(
  { needs: 'deletion.run', on: scopeToDeletion, action: 'deletion.undo' },
  async (actor: Actor, id: string, request: UndoRequest): Promise<Deletion> => {
    const deletion = await getDeletionOrThrow(id);
    const { plan, state } = deletion;
    if (state === 'planned')
      throw new AppError('conflict', 'Nothing was done yet: there is nothing to undo.', { state });
    // Only the ids that the server reports link it to what was archived elsewhere, and an undo would give it those
    // values.
    if (plan.claimedElsewhere && !roleAllows(actor.role, 'deletion.override'))
      throw new AppError(
        'forbidden',
        'Only an administrator of all instances can undo a deletion that was found at another address.',
        { needs: PERMISSIONS['deletion.override'] },
      );
    const instance = await assertMayWrite(plan.instanceId, 'undo');
    await assertSameServer(deletion);
    const { undoable } = await getDeletion(actor, id);
    if (undoable === 0) throw new AppError('nothing_to_do', 'Nothing of this deletion can be undone any more.', {});
    await runTransaction(async (tx) => {
      const endedActions = await endOtherJobs(actor, id, tx);
      await recordAudit(tx, {
        action: 'deletion.undo',
        subject: id,
        instanceId: plan.instanceId,
        actor,
        outcome: 'intent',
        details: { items: request.items?.length ?? 'all', restoreExpired: request.restoreExpired },
      });
      const job = await queueJob(
        actor,
        {
          kind: 'deletion',
          purpose: 'restore',
          instanceId: plan.instanceId,
          instanceName: instance.settings.name,
          speed: plan.options.speed,
          params: {
            deletionId: id,
            action: 'undo',
            ...(request.items && { items: request.items }),
            restoreExpired: request.restoreExpired,
          },
        },
        tx,
      );
      await updateDeletion(
        id,
        { jobId: job.id, action: 'undo', ...(endedActions.has('run') && { state: 'cancelled', endedAt: Date.now() }) },
        tx,
      );
    });
    return getDeletion(actor, id);
  },
);

/**
 * Ends paused and failed jobs and returns their actions. A running job is not ended: then creating another job is
 * refused.
 */
async function endOtherJobs(actor: Actor, deletionId: string, tx: Tx): Promise<Set<DeletionParams['action']>> {
  const endedActions = new Set<DeletionParams['action']>();
  for (const { job, params } of await findJobsOfDeletion(deletionId, ['paused', 'failed'], tx)) {
    await endJob(actor, job.id, tx);
    endedActions.add((params as DeletionParams).action);
  }
  return endedActions;
}
