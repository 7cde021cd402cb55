import { discardPlan } from '@/lib/deletions/discard-plan';
import { getPlan } from '@/lib/deletions/get-deletion';
import { handle, WithId as params } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'One plan.',
    answer: 'plan: what it would cost in each mode, its hazards, and the excluded keys.',
    params,
  },
  async ({ actor, params: { id } }) => ({
    plan: await getPlan(actor, id),
  }),
);
export const DELETE = handle(
  { summary: 'Discard a plan that was not confirmed.', answer: 'An empty object.', params },
  ({ actor, params: { id } }) => discardPlan(actor, id).then(() => ({})),
);
