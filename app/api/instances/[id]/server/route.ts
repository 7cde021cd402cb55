import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { ConnectionReport } from '@/lib/model/servers/server-facts';

export const GET = handle(
  {
    summary: 'Current state of the server; ten seconds at most.',
    answer: 'The report.',
    holds: { report: ConnectionReport },
    params: z.object({ id: Id }),
  },
  async ({ actor, params: { id } }) => ({
    report: await readServerFacts(actor, id),
  }),
);
