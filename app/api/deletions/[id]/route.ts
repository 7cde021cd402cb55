import { z } from 'zod';
import { getDeletion } from '@/lib/deletions/get-deletion';
import { handle, Id } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'A deletion: plan, state, counts, job, rate and probe latency over time.',
    answer: 'The deletion.',
    params: z.object({ id: Id }),
  },
  async ({ actor, params: { id } }) => ({
    deletion: await getDeletion(actor, id),
  }),
);
