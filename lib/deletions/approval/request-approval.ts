import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Approval, ApprovalRequest } from '@/lib/model/deletions/approval';
import { listConsents } from '@/lib/model/deletions/consents';
import { AppError } from '@/lib/model/errors';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { runTransaction } from '@/lib/store/open-store';
import { findSecondPerson } from './assert-approved';
import { readPlanAsSeen } from './open-plan';

const DAY_MS = 24 * 3_600_000;

/**
 * Asks a second person to look at a plan, and states the reason. The request holds for a day, and only for this plan as
 * it is now. Errors: `forbidden`, `not_found`, `conflict` (decided, made again, requested already), `unsupported` (the
 * instance requires no second person).
 */
export const requestApproval = verb(
  { needs: 'deletion.run', on: scopeToDeletion, action: 'deletion.request_approval' },
  async (actor: Actor, id: string, { planCreatedAt, reason }: ApprovalRequest): Promise<Approval> =>
    runTransaction(async (tx) => {
      const now = Date.now();
      const openPlan = await readPlanAsSeen(id, planCreatedAt, now, tx);
      const { plan, settings, currentApproval } = openPlan;
      if (!settings?.secondPerson)
        throw new AppError('unsupported', 'This instance does not require a second person: confirm the plan.');
      // If the person who approved may no longer approve, the approval counts as missing.
      const hasLapsed =
        currentApproval?.state === 'approved' &&
        !(await findSecondPerson(openPlan, { id: plan.instanceId, settings }, tx));
      if (currentApproval && currentApproval.state !== 'rejected' && !hasLapsed)
        throw new AppError(
          'conflict',
          `${currentApproval.requestedBy.name} has already requested approval: it is ${currentApproval.state}.`,
          { deletion: id, state: currentApproval.state },
        );
      const approval: Approval = {
        state: 'requested',
        planCreatedAt,
        consents: listConsents(plan, settings),
        reason,
        requestedBy: { id: actor.id, name: actor.name },
        requestedAt: now,
        expiresAt: now + DAY_MS,
        decidedBy: null,
        decidedAt: null,
        note: '',
      };
      const { keys, elements, bytes } = plan.totals;
      const details = { reason, keys, elements, bytes };
      const entry = { action: 'deletion.request_approval', subject: id, instanceId: plan.instanceId };
      await recordAudit(tx, { ...entry, actor, details });
      await updateDeletion(id, { approval }, tx);
      return approval;
    }),
);
