import { z } from 'zod';
import { panic } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

export const POST = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => ({
  panic: await panic(actor, { deletionId: id }),
}));
