import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Approval, ApprovalDecision } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import { type StoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { runTransaction } from '@/lib/store/open-store';
import { readPlanAsSeen } from './open-plan';

/**
 * The second person approves or rejects exactly the plan that was shown. Nobody may approve a plan that they made,
 * requested approval for or accepted another server of; they may reject it. On production the person has just entered
 * the password. Errors: `forbidden`, `not_found`, `conflict` (not requested, decided, made again, too old),
 * `own_approval`, `person_needed`, `fresh_sign_in_needed`.
 */
export const decideApproval = verb(
  { needs: 'deletion.approve', on: scopeToDeletion, action: 'deletion.approve', fresh: true },
  async (actor: Actor, id: string, { planCreatedAt, decision, note }: ApprovalDecision): Promise<Approval> => {
    const action = `deletion.${decision}`;
    const outcome = await runTransaction(async (tx) => {
      const now = Date.now();
      const stored = await readPlanAsSeen(id, planCreatedAt, now, tx);
      const { plan, currentApproval } = stored;
      if (currentApproval?.state !== 'requested')
        throw new AppError('conflict', 'There is no open request for approval.', {
          deletion: id,
          state: currentApproval?.state ?? 'none',
        });
      const entry = { action, subject: id, instanceId: plan.instanceId, actor };
      if (decision === 'approve' && isOwnPlan(actor, stored, currentApproval)) {
        // A refusal is recorded too. The error is thrown outside, otherwise the row would be rolled back with the
        // transaction.
        await recordAudit(tx, { ...entry, outcome: 'refused', details: { because: 'own plan' } });
        return null;
      }
      const approval: Approval = {
        ...currentApproval,
        state: decision === 'approve' ? 'approved' : 'rejected',
        decidedBy: { id: actor.id, name: actor.name },
        decidedAt: now,
        note,
      };
      const { keys, elements, bytes } = plan.totals;
      const details = { note, keys, elements, bytes, requestedBy: currentApproval.requestedBy.name };
      await recordAudit(tx, { ...entry, details });
      await updateDeletion(id, { approval }, tx);
      return approval;
    });
    if (outcome === null)
      throw new AppError(
        'own_approval',
        'You made this plan, accepted its server or requested its approval: another person has to approve it.',
      );
    return outcome;
  },
);

const isOwnPlan = ({ id }: Actor, { plan }: StoredDeletion, { requestedBy }: Approval): boolean =>
  requestedBy.id === id || plan.accepted?.byId === id || plan.createdById === id;
