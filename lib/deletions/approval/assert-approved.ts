import { isAccountPermitted } from '@/lib/access/auth/is-still-permitted';
import { type Approval, findCurrentApproval } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import type { InstanceRow } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

type InstanceFlags = Pick<InstanceRow, 'id' | 'settings'>;

/**
 * Returns who approved the plan, if it is a person other than those who made the plan, accepted its server or requested
 * the approval, and if that person may still approve it: an account that was disabled or lost the role since does not
 * count. null = no such person has approved it.
 */
export async function findSecondPerson({ plan, approval }: StoredDeletion, { id, settings }: InstanceFlags, tx?: Tx) {
  const current = findCurrentApproval(approval, plan, settings, Date.now());
  const { requestedBy, decidedBy } = current ?? {};
  if (current?.state !== 'approved' || !decidedBy) return null;
  const firstPersons = [requestedBy?.id, plan.createdById, plan.accepted?.byId];
  if (firstPersons.includes(decidedBy.id)) return null;
  return (await isAccountPermitted(decidedBy.id, 'deletion.approve', { id, ...settings }, tx)) ? decidedBy : null;
}

/**
 * Checks that a second person has approved this plan as it is now, if the instance requires one. Errors:
 * `approval_needed`.
 */
export async function assertApproved(stored: StoredDeletion, instance: InstanceFlags, tx?: Tx): Promise<void> {
  if (!instance.settings.secondPerson || (await findSecondPerson(stored, instance, tx))) return;
  const { plan, approval } = stored;
  const state: Approval['state'] | 'none' =
    findCurrentApproval(approval, plan, instance.settings, Date.now())?.state ?? 'none';
  throw new AppError('approval_needed', 'This instance requires a second person, who has to approve the plan first.', {
    deletion: plan.id,
    state,
  });
}
