import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { listInstances } from '@/lib/instances/list-instances';
import { registerInstance } from '@/lib/instances/register-instance';
import { Instance, InstanceInput } from '@/lib/model/servers/instance';
import { Warning } from '@/lib/model/servers/server-facts';

export const GET = handle(
  {
    summary: 'List the registered instances by name.',
    answer: 'instances: each without its secrets.',
    holds: { instances: z.array(Instance) },
  },
  async ({ actor }) => ({ instances: await listInstances(actor) }),
);

export const POST = handle(
  {
    summary: 'Register an instance.',
    answer:
      'instance: the instance that was registered, without its secrets; warnings: whether other instances name one of its addresses.',
    holds: { instance: Instance, warnings: z.array(Warning) },
    body: InstanceInput,
    status: 201,
  },
  async ({ actor, body }) => {
    const { warnings, ...instance } = await registerInstance(actor, body);
    return { instance, warnings };
  },
);
