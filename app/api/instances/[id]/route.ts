import { handle, WithId as params } from '@/lib/http/handle';
import { getInstance } from '@/lib/instances/get-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { updateInstance } from '@/lib/instances/update-instance';
import { InstanceUpdate } from '@/lib/model/servers/instance';

export const GET = handle({ params }, async ({ actor, params }) => ({ instance: await getInstance(actor, params.id) }));
export const PATCH = handle({ params, body: InstanceUpdate }, async ({ actor, params, body }) => ({
  instance: await updateInstance(actor, params.id, body),
}));
export const DELETE = handle({ params }, async ({ actor, params }) => ({
  instance: await removeInstance(actor, params.id),
}));
