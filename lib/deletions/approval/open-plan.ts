import { findCurrentApproval } from '@/lib/model/deletions/approval';
import { getPlanChangedAt, hasChangedSince } from '@/lib/model/deletions/plan-changes';
import { AppError } from '@/lib/model/errors';
import type { InstanceSettings } from '@/lib/model/servers/instance';
import { getStoredDeletion, type StoredDeletion } from '@/lib/store/deletions/deletions';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';

/** A plan that can be approved: not confirmed yet, or confirmed and changed since. */
interface OpenPlan extends StoredDeletion {
  /** null = the instance is no longer registered. */
  settings: InstanceSettings | null;
  currentApproval: ReturnType<typeof findCurrentApproval>;
}

/** Reads a plan that can be approved. `now`: epoch ms. Errors: `not_found`, `conflict` (decided). */
export async function readOpenPlan(id: string, now: number, tx: Tx): Promise<OpenPlan> {
  const stored = await getStoredDeletion(id, tx);
  if (!stored) throw new AppError('not_found', 'There is no such plan.', { deletion: id.slice(0, 64) });
  const { plan, state } = stored;
  const settings = (await getProtectedInstance(plan.instanceId, tx))?.settings ?? null;
  const flags = settings ?? { production: false };
  if (state !== 'planned' && !hasChangedSince(plan, flags))
    throw new AppError('conflict', `This plan has been decided: it is ${state}.`, { deletion: id, state });
  return { ...stored, settings, currentApproval: findCurrentApproval(stored.approval, plan, flags, now) };
}

/**
 * Reads a plan that can be approved, if it is still the one that the person has seen: `seenAsOf` is the time that the
 * page shows as its last change (`getPlanChangedAt`). Errors: `not_found`, `conflict`.
 */
export async function readPlanAsSeen(id: string, seenAsOf: number, now: number, tx: Tx): Promise<OpenPlan> {
  const openPlan = await readOpenPlan(id, now, tx);
  if (openPlan.plan.replacing !== undefined || getPlanChangedAt(openPlan.plan) !== seenAsOf)
    throw new AppError('conflict', 'This plan was made again meanwhile. Reload it.', { deletion: id });
  return openPlan;
}
