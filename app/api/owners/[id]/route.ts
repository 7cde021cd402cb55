import { handle, WithId as params } from '@/lib/http/handle';
import { OwnerInput } from '@/lib/model/rules/policy';
import { removeOwner, updateOwner } from '@/lib/policies/owners';

export const PUT = handle(
  { summary: 'Change the owner of a prefix.', answer: 'owner: the owner as it is now.', params, body: OwnerInput },
  async ({ actor, params: { id }, body }) => ({
    owner: await updateOwner(actor, id, body),
  }),
);
export const DELETE = handle(
  { summary: 'Delete the owner of a prefix.', answer: 'id: the owner that was deleted.', params },
  ({ actor, params: { id } }) => removeOwner(actor, id),
);
