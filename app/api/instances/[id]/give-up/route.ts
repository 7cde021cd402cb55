import { z } from 'zod';
import { giveUp } from '@/lib/deletions/give-up';
import { handle, Id } from '@/lib/http/handle';
import { GiveUp } from '@/lib/model/deletions/plan-request';

export const POST = handle(
  {
    summary:
      'The server is permanently lost: end deletions with renamed keys there as given up, so that the instance can be removed. Refused while the server answers.',
    answer: 'givenUp: keys, deletions',
    params: z.object({ id: Id }),
    body: GiveUp,
  },
  async ({ actor, params: { id }, body }) => ({
    givenUp: await giveUp(actor, id, body),
  }),
);
