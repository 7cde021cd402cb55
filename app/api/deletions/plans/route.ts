import { makePlan } from '@/lib/deletions/make-plan';
import { handle } from '@/lib/http/handle';
import { PlanRequest } from '@/lib/model/deletions/plan-request';

export const POST = handle({ body: PlanRequest, status: 201 }, async ({ actor, body, request }) => ({
  plan: await makePlan(actor, body, request.signal),
}));
