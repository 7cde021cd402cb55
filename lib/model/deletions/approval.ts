/**
 * An instance may require an approval before one of its plans runs: the consent of a second person to exactly this
 * plan.
 */

import { z } from 'zod';
import { listConsents } from './consents';
import { getPlanChangedAt, type PlanVersion } from './plan-changes';
import type { Consent } from './plan-request';

const text = z.string().trim().max(500);
/**
 * When the plan that the person saw was last changed (`getPlanChangedAt`), epoch ms; a later change ends the approval.
 */
const planCreatedAt = z.number().int().min(0);

/** Body of POST /api/deletions/:id/approval. */
export const ApprovalRequest = z.object({ planCreatedAt, reason: text.min(3) });
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** Body of POST /api/deletions/:id/approval/decision. */
export const ApprovalDecision = z.object({
  planCreatedAt,
  decision: z.enum(['approve', 'reject']),
  note: text.default(''),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

interface Person {
  id: string;
  name: string;
}
export interface Approval {
  state: 'requested' | 'approved' | 'rejected';
  planCreatedAt: number;
  /** The consents that the plan required when approval was requested. */
  consents: Consent[];
  reason: string;
  requestedBy: Person;
  requestedAt: number;
  /** The approval can be decided, and an approved plan started, until then; epoch ms. */
  expiresAt: number;
  decidedBy: Person | null;
  decidedAt: number | null;
  note: string;
}

/**
 * Returns the approval if it is for the plan as it is now and has not expired; null = none was requested, or the plan
 * has changed since. `production` is the present mark of its instance: the second person must have seen the consents
 * that it requires.
 */
export function findCurrentApproval(
  approval: Approval | null,
  plan: PlanVersion,
  { production }: { production: boolean },
  now: number,
): Approval | null {
  if (approval === null || approval.planCreatedAt !== getPlanChangedAt(plan) || now >= approval.expiresAt) return null;
  const seen = approval.consents;
  return listConsents(plan, { production }).every((consent) => seen.includes(consent)) ? approval : null;
}
