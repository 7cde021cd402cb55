import { currentApproval } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';

/** Where the instance asks for it: a second person has approved this plan as it stands. Errors: `approval_needed`. */
export function assertApproved(
  { plan, approval }: StoredDeletion,
  settings: { secondPerson: boolean },
  now = Date.now(),
): void {
  if (!settings.secondPerson) return;
  const current = currentApproval(approval, plan, now);
  const { requestedBy, decidedBy } = current ?? {};
  const bySecond = decidedBy && decidedBy.id !== requestedBy?.id && decidedBy.id !== plan.createdById;
  if (current?.state === 'approved' && bySecond) return;
  throw new AppError('approval_needed', 'This instance asks for a second person, who has to approve the plan first.', {
    deletion: plan.id,
    state: current?.state ?? 'none',
  });
}
