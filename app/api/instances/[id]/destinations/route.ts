import { z } from 'zod';
import { inFormat } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { exportDestinations } from '@/lib/instances/export/export-destinations';
import { FileQuery as query } from '@/lib/model/reports/file-query';
import { Destination, DestinationChange } from '@/lib/model/servers/destination';

export const GET = handle(
  {
    summary: 'Addresses announced by its servers that somebody has confirmed.',
    answer: 'destinations, or the file of these.',
    holds: { destinations: z.array(Destination) },
    params,
    query,
  },
  ({ actor, params: { id }, query: { format }, ...asked }) => {
    const list = async () => ({ destinations: await getDestinations(actor, id) });
    return inFormat(asked, format, list, (shape) => exportDestinations(actor, id, shape));
  },
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
