import { z } from 'zod';
import { emergencyStop } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

export const POST = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => ({
  panic: await emergencyStop(actor, { deletionId: id }),
}));
