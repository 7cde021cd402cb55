import { z } from 'zod';
import { giveUp } from '@/lib/deletions/give-up';
import { handle, Id } from '@/lib/http/handle';
import { GiveUp } from '@/lib/model/deletions/plan-request';

export const POST = handle({ params: z.object({ id: Id }), body: GiveUp }, async ({ actor, params: { id }, body }) => ({
  givenUp: await giveUp(actor, id, body),
}));
