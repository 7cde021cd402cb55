import { z } from 'zod';
import { discardPlan } from '@/lib/deletions/discard-plan';
import { getPlan } from '@/lib/deletions/get-deletion';
import { handle, Id } from '@/lib/http/handle';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({ plan: await getPlan(actor, id) }));
export const DELETE = handle({ params }, async ({ actor, params: { id } }) => {
  await discardPlan(actor, id);
  return {};
});
