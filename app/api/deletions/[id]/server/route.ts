import { acceptServer } from '@/lib/deletions/accept-server';
import { compareServers } from '@/lib/deletions/compare-servers';
import { handle, WithId as params } from '@/lib/http/handle';
import { ServerAcceptance } from '@/lib/model/servers/server-identity';

export const GET = handle(
  {
    summary: 'Compare the server that a deletion belongs to with the one that answers now. Changes nothing.',
    answer: 'servers: the two (was, is), the verdict, and what an acceptance has to name (seen).',
    params,
  },
  async ({ actor, params: { id } }) => ({
    servers: await compareServers(actor, id),
  }),
);
export const POST = handle(
  {
    summary:
      'Accept another server as the right one for a deletion, with the typed name of the instance and the server that was shown. Jobs that waited for it continue.',
    answer: 'deletion: the deletion as it is now.',
    params,
    body: ServerAcceptance,
  },
  async ({ actor, params: { id }, body }) => ({
    deletion: await acceptServer(actor, id, body),
  }),
);
