import { z } from 'zod';
import { getDeletion } from '@/lib/deletions/get-deletion';
import { handle, Id } from '@/lib/http/handle';

export const GET = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => ({
  deletion: await getDeletion(actor, id),
}));
