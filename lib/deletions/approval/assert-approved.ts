import { accountMay } from '@/lib/auth/still-may';
import { type Approval, currentApproval } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import type { InstanceRow } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

type Marked = Pick<InstanceRow, 'id' | 'settings'>;

/**
 * By another than whoever made the plan, accepted its server or asked for it, and who might approve it now too: an
 * account that was disabled or lost the role since counts no more. null = nobody has approved it so.
 */
export async function findSecondPerson({ plan, approval }: StoredDeletion, { id, settings }: Marked, tx?: Tx) {
  const current = currentApproval(approval, plan, settings, Date.now());
  const { requestedBy, decidedBy } = current ?? {};
  if (current?.state !== 'approved' || !decidedBy) return null;
  const first = [requestedBy?.id, plan.createdById, plan.accepted?.byId];
  if (first.includes(decidedBy.id)) return null;
  return (await accountMay(decidedBy.id, 'deletion.approve', { id, ...settings }, tx)) ? decidedBy : null;
}

/** Where the instance asks for it: a second person has approved this plan as it stands. Errors: `approval_needed`. */
export async function assertApproved(stored: StoredDeletion, instance: Marked, tx?: Tx): Promise<void> {
  if (!instance.settings.secondPerson || (await findSecondPerson(stored, instance, tx))) return;
  const { plan, approval } = stored;
  const state: Approval['state'] | 'none' =
    currentApproval(approval, plan, instance.settings, Date.now())?.state ?? 'none';
  throw new AppError('approval_needed', 'This instance requires a second person, who has to approve the plan first.', {
    deletion: plan.id,
    state,
  });
}
