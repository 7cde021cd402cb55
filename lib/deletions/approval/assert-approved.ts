import { type Approval, currentApproval } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';

type Marks = { secondPerson: boolean; production: boolean };

/** By another than whoever made the plan, accepted its server or asked for it. null = nobody has approved it so. */
export function approvedBySecond({ plan, approval }: StoredDeletion, settings: Marks, now = Date.now()) {
  const current = currentApproval(approval, plan, settings, now);
  const { requestedBy, decidedBy } = current ?? {};
  if (current?.state !== 'approved' || !decidedBy) return null;
  const first = [requestedBy?.id, plan.createdById, plan.accepted?.byId];
  return first.includes(decidedBy.id) ? null : decidedBy;
}

/** Where the instance asks for it: a second person has approved this plan as it stands. Errors: `approval_needed`. */
export function assertApproved(stored: StoredDeletion, settings: Marks, now = Date.now()): void {
  if (!settings.secondPerson || approvedBySecond(stored, settings, now)) return;
  const { plan, approval } = stored;
  const state: Approval['state'] | 'none' = currentApproval(approval, plan, settings, now)?.state ?? 'none';
  throw new AppError('approval_needed', 'This instance requires a second person, who has to approve the plan first.', {
    deletion: plan.id,
    state,
  });
}
