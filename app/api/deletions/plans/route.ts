import { makePlan } from '@/lib/deletions/make-plan';
import { handle } from '@/lib/http/handle';
import { PlanRequest } from '@/lib/model/deletions/plan-request';

export const POST = handle(
  {
    summary: 'Plan the deletion of a selection of keys, or expiries for them. Changes nothing in Redis.',
    answer: 'plan: totals, modes, estimate, commands, hazards, consents, and the phrase to type.',
    body: PlanRequest,
    status: 201,
  },
  async ({ actor, body, request }) => ({
    plan: await makePlan(actor, body, request.signal),
  }),
);
