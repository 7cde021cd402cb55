import { z } from 'zod';
import { consentsFor } from './consents';
import { type Changing, planAsOf } from './plan-changes';
import type { Consent } from './plan-request';

/** What an instance may ask for before one of its plans runs: the consent of a second person, to exactly this plan. */
const text = z.string().trim().max(500);
/** When the plan that was seen became what it is (`planAsOf`), epoch ms: one that was made anew since is another. */
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
  /** What had to be agreed to when it was asked for; absent in those from before this was noted: as the plan says. */
  consents?: Consent[];
  reason: string;
  requestedBy: Person;
  requestedAt: number;
  /** Until then it can be decided, and an approved plan begun; epoch ms. */
  expiresAt: number;
  decidedBy: Person | null;
  decidedAt: number | null;
  note: string;
}

/**
 * Of a plan as it stands now, and not too old; null = nobody has asked, or what they asked for is gone. `production`:
 * as its instance is marked now; what that asks a person to agree to, the second one has to have seen too.
 */
export function currentApproval(
  approval: Approval | null,
  plan: Changing,
  { production }: { production: boolean },
  now: number,
): Approval | null {
  if (approval === null || approval.planCreatedAt !== planAsOf(plan) || now >= approval.expiresAt) return null;
  const seen = approval.consents ?? plan.consents;
  return consentsFor(plan, { production }).every((consent) => seen.includes(consent)) ? approval : null;
}
