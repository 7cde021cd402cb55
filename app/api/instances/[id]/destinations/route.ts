import { handle, WithId as params } from '@/lib/http/handle';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { DestinationChange } from '@/lib/model/servers/destination';

export const GET = handle({ params }, async ({ actor, params }) => ({
  destinations: await getDestinations(actor, params.id),
}));

export const POST = handle({ params, body: DestinationChange }, async ({ actor, params, body }) => ({
  destinations: await changeDestinations(actor, params.id, body),
}));
