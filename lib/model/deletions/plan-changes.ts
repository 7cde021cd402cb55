import { agreedOf, consentsFor } from './consents';
import type { DeletionPlan } from './deletion-plan';

/** What a second person has seen, and what of it may have changed since. */
export type Changing = Pick<DeletionPlan, 'createdAt' | 'consents' | 'agreed' | 'accepted'>;

/** Since when the plan is what it is: it was made, or another server was accepted for it. */
export const planAsOf = ({ createdAt, accepted }: Changing): number => accepted?.at ?? createdAt;

/**
 * Whether a plan that was confirmed has become another since: moved to a server that nobody has approved, or in need of
 * a consent that nobody has given.
 */
export function hasChangedSince(plan: Changing, { production }: { production: boolean }): boolean {
  if (plan.accepted && plan.accepted.approvedBy === undefined) return true;
  const agreed = agreedOf(plan);
  return consentsFor(plan, { production }).some((consent) => !agreed.includes(consent));
}
