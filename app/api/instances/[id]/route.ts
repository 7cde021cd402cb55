import { handle, WithId as params } from '@/lib/http/handle';
import { getInstance } from '@/lib/instances/get-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { updateInstance } from '@/lib/instances/update-instance';
import { Instance, InstanceUpdate } from '@/lib/model/servers/instance';

export const GET = handle(
  { summary: 'One instance.', answer: 'instance: without its secrets.', holds: { instance: Instance }, params },
  async ({ actor, params }) => ({ instance: await getInstance(actor, params.id) }),
);
export const PATCH = handle(
  {
    summary: 'Change an instance. Fields that are not given stay unchanged.',
    answer: 'instance: the instance as it is now, without its secrets.',
    holds: { instance: Instance },
    params,
    body: InstanceUpdate,
  },
  async ({ actor, params, body }) => ({
    instance: await updateInstance(actor, params.id, body),
  }),
);
export const DELETE = handle(
  {
    summary: 'Remove an instance, its secrets and its snapshots.',
    answer: 'instance: the instance that was removed.',
    holds: { instance: Instance },
    params,
  },
  async ({ actor, params }) => ({
    instance: await removeInstance(actor, params.id),
  }),
);
