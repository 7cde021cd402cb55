import { z } from 'zod';
import { emergencyStop } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

export const POST = handle(
  {
    summary: 'Stop this deletion now.',
    answer: 'What stands still, since when and by whom, and the path of the flag file.',
    params: z.object({ id: Id }),
  },
  async ({ actor, params: { id } }) => ({
    panic: await emergencyStop(actor, { deletionId: id }),
  }),
);
