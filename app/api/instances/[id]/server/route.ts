import { handle, WithId } from '@/lib/http/handle';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { ConnectionReport } from '@/lib/model/servers/server-facts';

export const GET = handle(
  {
    summary: 'Current state of the instance and its servers; ten seconds at most.',
    answer: 'report: topology, nodes, memory, permissions, warnings.',
    holds: { report: ConnectionReport },
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    report: await readServerFacts(actor, id),
  }),
);
