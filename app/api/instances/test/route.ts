import { handle } from '@/lib/http/handle';
import { testConnection } from '@/lib/instances/test-connection';
import { ConnectionTest } from '@/lib/model/servers/instance';

export const POST = handle({ body: ConnectionTest }, async ({ actor, body: { instanceId, ...input } }) => ({
  report: await testConnection(actor, input, instanceId),
}));
