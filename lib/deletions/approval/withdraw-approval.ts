import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { runTransaction } from '@/lib/store/open-store';
import { readOpenPlan } from './open-plan';

/**
 * Withdraws a request, or an approval that was given: the plan cannot be confirmed then. Everyone who may plan may do
 * this, because it allows nothing. Errors: `forbidden`, `not_found`, `conflict` (there is none, or the plan has been
 * decided).
 */
export const withdrawApproval = verb(
  { needs: 'deletion.run', on: scopeToDeletion, action: 'deletion.withdraw_approval' },
  async (actor: Actor, id: string): Promise<void> =>
    runTransaction(async (tx) => {
      const { plan, state, approval, currentApproval } = await readOpenPlan(id, Date.now(), tx);
      // Once the plan was confirmed, the approval that it had stays on record.
      if (approval === null || (state !== 'planned' && currentApproval === null))
        throw new AppError('conflict', 'There is no request or approval to withdraw.', { deletion: id, state });
      const entry = { action: 'deletion.withdraw_approval', subject: id, instanceId: plan.instanceId };
      await recordAudit(tx, { ...entry, actor, details: { was: approval.state, by: approval.requestedBy.name } });
      await updateDeletion(id, { approval: null }, tx);
    }),
);
