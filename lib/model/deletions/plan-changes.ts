import { listAgreedConsents, listConsents } from './consents';
import type { DeletionPlan } from './deletion-plan';

/** The fields of a plan that decide whether it has changed since a second person saw it. */
export type PlanVersion = Pick<DeletionPlan, 'createdAt' | 'consents' | 'agreed' | 'accepted'>;

/** When the plan was last changed, epoch ms: when it was made, or when another server was accepted for it. */
export const getPlanChangedAt = ({ createdAt, accepted }: PlanVersion): number => accepted?.at ?? createdAt;

/**
 * Whether a confirmed plan has changed since: it was moved to a server that nobody has approved, or it requires a
 * consent that nobody has given.
 */
export function hasChangedSince(plan: PlanVersion, { production }: { production: boolean }): boolean {
  if (plan.accepted && plan.accepted.approvedBy === undefined) return true;
  const agreed = listAgreedConsents(plan);
  return listConsents(plan, { production }).some((consent) => !agreed.includes(consent));
}
