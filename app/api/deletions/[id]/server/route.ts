import { z } from 'zod';
import { acceptServer } from '@/lib/deletions/accept-server';
import { compareServers } from '@/lib/deletions/compare-servers';
import { handle, Id } from '@/lib/http/handle';
import { ServerAcceptance } from '@/lib/model/servers/server-identity';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({
  servers: await compareServers(actor, id),
}));
export const POST = handle({ params, body: ServerAcceptance }, async ({ actor, params: { id }, body }) => ({
  deletion: await acceptServer(actor, id, body),
}));
