import { giveUp } from '@/lib/deletions/give-up';
import { handle, WithId } from '@/lib/http/handle';
import { GiveUp } from '@/lib/model/deletions/plan-request';

export const POST = handle(
  {
    summary:
      'Declare that the server is permanently lost: its keys that are renamed (tombstones) get the state given up, so that the instance can be removed. Refused while the server answers.',
    answer: 'givenUp: how many keys, and the ids of their deletions.',
    params: WithId,
    body: GiveUp,
  },
  async ({ actor, params: { id }, body }) => ({
    givenUp: await giveUp(actor, id, body),
  }),
);
