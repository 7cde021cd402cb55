import { getDeletion } from '@/lib/deletions/get-deletion';
import { handle, WithId } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'One deletion.',
    answer: 'deletion: its plan, state, counts and job, and its rate and probe latency over time.',
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    deletion: await getDeletion(actor, id),
  }),
);
