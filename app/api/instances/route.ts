import { handle } from '@/lib/http/handle';
import { listInstances } from '@/lib/instances/list-instances';
import { registerInstance } from '@/lib/instances/register-instance';
import { InstanceInput } from '@/lib/model/servers/instance';

export const GET = handle({}, async ({ actor }) => ({ instances: await listInstances(actor) }));

export const POST = handle({ body: InstanceInput, status: 201 }, async ({ actor, body }) => ({
  instance: await registerInstance(actor, body),
}));
