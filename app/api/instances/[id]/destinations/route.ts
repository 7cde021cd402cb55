import { z } from 'zod';
import { handle, WithId as params } from '@/lib/http/handle';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { Destination, DestinationChange } from '@/lib/model/servers/destination';

export const GET = handle(
  {
    summary: 'List the confirmed addresses of an instance: those that its servers announce and somebody has confirmed.',
    answer: 'destinations: the confirmed addresses.',
    holds: { destinations: z.array(Destination) },
    params,
  },
  async ({ actor, params: { id } }) => ({
    destinations: await getDestinations(actor, id),
  }),
);
export const POST = handle(
  {
    summary:
      'Confirm addresses that the servers of an instance announce, or withdraw that. The password is sent to confirmed ones only.',
    answer: 'destinations: all addresses that are confirmed now.',
    holds: { destinations: z.array(Destination) },
    params,
    body: DestinationChange,
  },
  async ({ actor, params, body }) => ({
    destinations: await changeDestinations(actor, params.id, body),
  }),
);
