import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { OwnerInput } from '@/lib/model/rules/policy';
import { removeOwner, updateOwner } from '@/lib/policies/owners';

const params = z.object({ id: Id });

export const PUT = handle(
  { summary: 'Change a prefix owner.', answer: 'owner', params, body: OwnerInput },
  async ({ actor, params: { id }, body }) => ({
    owner: await updateOwner(actor, id, body),
  }),
);
export const DELETE = handle({ summary: 'Delete a prefix owner.', answer: 'id', params }, ({ actor, params: { id } }) =>
  removeOwner(actor, id),
);
