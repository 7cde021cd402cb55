import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { getInstance } from '@/lib/instances/get-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { updateInstance } from '@/lib/instances/update-instance';
import { InstanceUpdate } from '@/lib/model/instance';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({
  instance: await getInstance(actor, id),
}));

export const PATCH = handle({ params, body: InstanceUpdate }, async ({ actor, params: { id }, body }) => ({
  instance: await updateInstance(actor, id, body),
}));

export const DELETE = handle({ params }, async ({ actor, params: { id } }) => ({
  instance: await removeInstance(actor, id),
}));
