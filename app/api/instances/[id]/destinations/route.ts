import { z } from 'zod';
import { handle, WithId as params } from '@/lib/http/handle';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { Destination, DestinationChange } from '@/lib/model/servers/destination';

export const GET = handle(
  {
    summary: 'Addresses announced by its servers that somebody has confirmed.',
    answer: 'destinations.',
    holds: { destinations: z.array(Destination) },
    params,
  },
  async ({ actor, params: { id } }) => ({
    destinations: await getDestinations(actor, id),
  }),
);
export const POST = handle(
  {
    summary: 'Confirm announced addresses, or withdraw that; the password goes to confirmed ones only.',
    answer: 'All that are confirmed now.',
    holds: { destinations: z.array(Destination) },
    params,
    body: DestinationChange,
  },
  async ({ actor, params, body }) => ({
    destinations: await changeDestinations(actor, params.id, body),
  }),
);
