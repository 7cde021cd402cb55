import { z } from 'zod';
import { leftovers } from '@/lib/deletions/leftovers';
import { handle, Id } from '@/lib/http/handle';

export const GET = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => ({
  leftovers: await leftovers(actor, id),
}));
