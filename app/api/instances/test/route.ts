import { handle } from '@/lib/http/handle';
import { testConnection } from '@/lib/instances/test-connection';
import { ConnectionTest } from '@/lib/model/servers/instance';
import { ConnectionReport } from '@/lib/model/servers/server-facts';

export const POST = handle(
  {
    summary: 'Test a connection before it is saved; ten seconds at most.',
    answer: 'report: topology, nodes, memory, permissions, warnings.',
    holds: { report: ConnectionReport },
    body: ConnectionTest,
  },
  async ({ actor, body: { instanceId, ...input } }) => ({
    report: await testConnection(actor, input, instanceId),
  }),
);
